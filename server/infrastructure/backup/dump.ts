import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { type BackupManifest, type BackupTotals, encodeEntry, type TableColumns } from "./entries";
import { ArchiveError } from "./sealed-file";

/**
 * Our tables and the queue's. Tables of extensions and the queue's `migrations` table are left out: a restore
 * recreates them.
 */
const TABLES_QUERY = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name, string_agg(format('%I', a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind = 'r'
     AND (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
     AND NOT EXISTS (SELECT 1 FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   GROUP BY 1 ORDER BY 1`;
const MIGRATIONS_QUERY = `SELECT array_agg(migration_name::text ORDER BY migration_name) AS names
                      FROM _prisma_migrations WHERE rolled_back_at IS NULL`;
/** Sequences are not part of a snapshot. Read last, so that they are never behind the rows. */
const SEQUENCES_QUERY = `
  SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS "lastValue"
    FROM pg_sequences WHERE schemaname IN ('public', 'graphile_worker') AND last_value IS NOT NULL`;

/** Opens a connection that may be used for hours. */
export async function openLongConnection(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: "tellal-backup", keepAlive: true });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Begins a transaction without timeouts, with date formats that do not depend on the server. */
export async function beginWithoutTimeouts(client: Client, transactionMode = ""): Promise<void> {
  await client.query(`BEGIN ${transactionMode}`);
  for (const timeoutSetting of ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"])
    await client.query(`SET LOCAL ${timeoutSetting} = 0`);
  await client.query("SET LOCAL datestyle = 'ISO, YMD'");
  await client.query("SET LOCAL intervalstyle = 'postgres'");
}

/**
 * Yields a snapshot of the database, then the output of `dumpFiles`. A lock prevents the removal of files
 * until the end.
 */
export async function* dumpInstallation(
  url: string,
  dumpFiles: (totals: BackupTotals) => AsyncIterable<Uint8Array>,
  onEnd: (totals: BackupTotals, manifest: BackupManifest) => void,
): AsyncGenerator<Uint8Array> {
  const totals: BackupTotals = { rows: {}, files: 0, bytes: 0, sequences: {} };
  const lockConnection = await openLongConnection(url);
  const client = await openLongConnection(url).catch(async (error) => {
    await lockConnection.end();
    throw error;
  });
  try {
    // On its own connection: on `client`, this statement would start the snapshot before the lock is held.
    await beginWithoutTimeouts(lockConnection);
    await lockConnection.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY_LOCKS.backup]);
    const manifest = await takeSnapshot(client, lockConnection);
    yield* encodeEntry({ kind: "manifest", ...manifest });
    const copyStreams = new Map<string, { rowCount: number }>();
    for (const { name, columns } of manifest.tables) {
      const copy = client.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`));
      copyStreams.set(name, copy);
      yield* encodeEntry({ kind: "table", name }, compress(copy));
    }
    const { rows } = await client.query<{ name: string; lastValue: string }>(SEQUENCES_QUERY);
    totals.sequences = Object.fromEntries(rows.map(({ name, lastValue }) => [name, lastValue]));
    await client.query("COMMIT");
    // Only now: COPY reports its row count at the end.
    for (const [name, { rowCount }] of copyStreams) totals.rows[name] = rowCount;
    yield* dumpFiles(totals);
    // Fails if the lock was lost: then files may have been removed during the backup.
    await lockConnection.query("COMMIT");
    yield* encodeEntry({ kind: "end", ...totals });
    onEnd(totals, manifest);
  } finally {
    await Promise.allSettled([client.end(), lockConnection.end()]);
  }
}

/** Starts the snapshot and locks the tables against migrations. */
async function takeSnapshot(client: Client, lockConnection: Client): Promise<BackupManifest> {
  const { rows: queueTables } = await lockConnection.query(
    "SELECT to_regclass('graphile_worker.migrations') AS name",
  );
  if (!queueTables[0].name)
    throw new ArchiveError("No server has run on this database yet: start one first.");
  await beginWithoutTimeouts(client, "ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const { rows: tables } = await client.query<TableColumns>(TABLES_QUERY);
  const { rows: migrationsBefore } = await client.query<{ names: string[] }>(MIGRATIONS_QUERY);
  await client.query(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS SHARE MODE`);
  const { rows: migrationsAfter } = await lockConnection.query<{ names: string[] }>(MIGRATIONS_QUERY);
  if (migrationsBefore[0]!.names.join() !== migrationsAfter[0]!.names.join())
    throw new ArchiveError("The database was migrated at the same moment. Start the backup again.");
  const { rows } = await client.query<{ at: Date; postgres: string; queue: number }>(
    `SELECT now() AS at, current_setting('server_version') AS postgres,
            (SELECT max(id)::int FROM graphile_worker.migrations) AS queue`,
  );
  const { at, postgres, queue } = rows[0]!;
  return { at: at.toISOString(), postgres, queue, migrations: migrationsBefore[0]!.names, tables };
}

function compress(copy: Readable): Readable {
  const gzip = createGzip({ level: 3 });
  copy.on("error", (error) => gzip.destroy(error));
  return copy.pipe(gzip);
}
