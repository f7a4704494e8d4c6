import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { entry, type Manifest, type Table, type Totals } from "./entries";
import { ArchiveError } from "./sealed";

/** Our tables and the queue's. A restore recreates those of extensions and the queue's migrations. */
const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name, string_agg(format('%I', a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind = 'r'
     AND (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
     AND NOT EXISTS (SELECT 1 FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   GROUP BY 1 ORDER BY 1`;
const MIGRATIONS = `SELECT array_agg(migration_name::text ORDER BY migration_name) AS names
                      FROM _prisma_migrations WHERE rolled_back_at IS NULL`;
/** Sequences are not part of a snapshot. Read last, so that they are never behind the rows. */
const SEQUENCES = `
  SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS at
    FROM pg_sequences WHERE schemaname IN ('public', 'graphile_worker') AND last_value IS NOT NULL`;

/** Opens a connection that may be used for hours. */
export async function longConnection(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: "tellal-backup", keepAlive: true });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Begins a transaction without timeouts, with date formats that do not depend on the server. */
export async function begin(client: Client, mode = ""): Promise<void> {
  await client.query(`BEGIN ${mode}`);
  for (const limit of ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"])
    await client.query(`SET LOCAL ${limit} = 0`);
  await client.query("SET LOCAL datestyle = 'ISO, YMD'");
  await client.query("SET LOCAL intervalstyle = 'postgres'");
}

/** Yields a snapshot of the database, then `files`. A lock prevents the removal of files until the end. */
export async function* dump(
  url: string,
  files: (totals: Totals) => AsyncIterable<Uint8Array>,
  onEnd: (totals: Totals, manifest: Manifest) => void,
): AsyncGenerator<Uint8Array> {
  const totals: Totals = { rows: {}, files: 0, bytes: 0, sequences: {} };
  const guard = await longConnection(url);
  const client = await longConnection(url).catch(async (error) => {
    await guard.end();
    throw error;
  });
  try {
    // On its own connection: the snapshot must start after the lock is held, but the lock statement would
    // start it.
    await begin(guard);
    await guard.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY.backup]);
    const manifest = await takeSnapshot(client, guard);
    yield* entry({ kind: "manifest", ...manifest });
    const copies = new Map<string, { rowCount: number }>();
    for (const { name, columns } of manifest.tables) {
      const copy = client.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`));
      copies.set(name, copy);
      yield* entry({ kind: "table", name }, packed(copy));
    }
    const { rows } = await client.query<{ name: string; at: string }>(SEQUENCES);
    totals.sequences = Object.fromEntries(rows.map(({ name, at }) => [name, at]));
    await client.query("COMMIT");
    // Only now: COPY reports its row count at the end.
    for (const [name, { rowCount }] of copies) totals.rows[name] = rowCount;
    yield* files(totals);
    // Fails if the lock was lost, and with it the consistency of the files.
    await guard.query("COMMIT");
    yield* entry({ kind: "end", ...totals });
    onEnd(totals, manifest);
  } finally {
    await Promise.allSettled([client.end(), guard.end()]);
  }
}

/** Starts the snapshot and locks the tables against migrations. */
async function takeSnapshot(client: Client, guard: Client): Promise<Manifest> {
  const { rows: installed } = await guard.query("SELECT to_regclass('graphile_worker.migrations') AS name");
  if (!installed[0].name) throw new ArchiveError("No server has run on this database yet: start one first.");
  await begin(client, "ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const { rows: tables } = await client.query<Table>(TABLES);
  const { rows: before } = await client.query<{ names: string[] }>(MIGRATIONS);
  await client.query(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS SHARE MODE`);
  const { rows: after } = await guard.query<{ names: string[] }>(MIGRATIONS);
  if (before[0]!.names.join() !== after[0]!.names.join())
    throw new ArchiveError("The database was migrated at the same moment. Start the backup again.");
  const { rows } = await client.query<{ at: Date; postgres: string; queue: number }>(
    `SELECT now() AS at, current_setting('server_version') AS postgres,
            (SELECT max(id)::int FROM graphile_worker.migrations) AS queue`,
  );
  const { at, postgres, queue } = rows[0]!;
  return { at: at.toISOString(), postgres, queue, migrations: before[0]!.names, tables };
}

function packed(copy: Readable): Readable {
  const gzip = createGzip({ level: 3 });
  copy.on("error", (error) => gzip.destroy(error));
  return copy.pipe(gzip);
}
