import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { rebuildSchema } from "@/server/infrastructure/database/migrate";
import { beginWithoutTimeouts } from "./dump";
import type { BackupManifest, BackupTotals } from "./entries";
import { ArchiveError } from "./sealed-file";

const OUR_SCHEMAS = "n.nspname IN ('public', 'graphile_worker')";

/** Finds a table or view in a database that is not empty; those of extensions do not count. */
const EXISTING_TABLE_QUERY = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'm')
     AND NOT EXISTS (SELECT 1 FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   ORDER BY 1 LIMIT 1`;
const FOREIGN_KEYS_QUERY = `
  SELECT format('%I.%I', n.nspname, c.relname) AS "table", format('%I', k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE ${OUR_SCHEMAS} AND k.contype = 'f'`;
const TRIGGERS_QUERY = `
  SELECT format('%I.%I', n.nspname, c.relname) AS "table", format('%I', t.tgname) AS name, t.tgenabled = 'A' AS always
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE ${OUR_SCHEMAS} AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')`;
const QUEUE_VERSION_QUERY = "SELECT max(id)::int AS number FROM graphile_worker.migrations";

export async function requireEmptyDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(EXISTING_TABLE_QUERY);
  const { rows: queueTables } = await client.query(
    "SELECT to_regclass('graphile_worker._private_jobs') AS name",
  );
  const hasJobs =
    queueTables[0].name &&
    (await client.query("SELECT 1 FROM graphile_worker._private_jobs LIMIT 1")).rowCount;
  const existingContent = rows[0] ? `a table ${rows[0].name}` : hasJobs ? "jobs" : undefined;
  if (existingContent)
    throw new ArchiveError(
      `The database is not empty, it has ${existingContent}. Restore into a new one. Nothing was changed.`,
    );
}

/** Foreign keys and triggers that are removed or disabled while rows are loaded. */
export interface SuspendedConstraints {
  foreignKeys: Array<{ table: string; name: string; definition: string }>;
  triggers: Array<{ table: string; name: string; always: boolean }>;
}

/** Drops everything that migrations created, but not extensions. */
const DROP_ALL_STATEMENT = `
  DO $$
  DECLARE
    command text;
    commands text[] := ARRAY(
      SELECT format('DROP TABLE IF EXISTS %s CASCADE', c.oid::regclass)
        FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
       UNION ALL
      SELECT format('DROP SEQUENCE IF EXISTS %s CASCADE', c.oid::regclass)
        FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
       UNION ALL
      SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', p.oid::regprocedure)
        FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
       UNION ALL
      SELECT format('DROP TYPE IF EXISTS %s CASCADE', t.oid::regtype)
        FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('e', 'd')
         AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = t.oid AND deptype = 'e')
       UNION ALL
      SELECT format('DROP COLLATION IF EXISTS %s CASCADE', l.oid::regcollation)
        FROM pg_collation l WHERE l.collnamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = l.oid AND deptype = 'e'));
  BEGIN
    FOREACH command IN ARRAY commands LOOP
      EXECUTE command;
    END LOOP;
  END $$`;

/** Locks an empty database for the restore and creates the schema of the backup's time. */
export async function lockAndCreateSchema(client: Client, manifest: BackupManifest): Promise<void> {
  // A starting server waits for this lock, which ends with the connection.
  await client.query("SELECT pg_advisory_lock($1)", [ADVISORY_LOCKS.migrations]);
  await requireEmptyDatabase(client);
  const { rows: queueVersions } = await client.query<{ number: number }>(QUEUE_VERSION_QUERY);
  if (queueVersions[0]!.number < manifest.queue)
    throw new ArchiveError(
      "The backup is of a newer release: restore it with that one. Nothing was changed.",
    );
  await rebuildSchema(client, manifest.migrations).catch(async (error) => {
    await dropSchemaObjects(client);
    throw error;
  });
}

export async function dropSchemaObjects(client: Client): Promise<void> {
  await client.query(DROP_ALL_STATEMENT);
}

/** Begins the transaction of a restore: tables are empty and accept rows in any order. */
export async function beginLoad(client: Client, manifest: BackupManifest): Promise<SuspendedConstraints> {
  await beginWithoutTimeouts(client);
  const { rows: foreignKeys } =
    await client.query<SuspendedConstraints["foreignKeys"][number]>(FOREIGN_KEYS_QUERY);
  const { rows: triggers } = await client.query<SuspendedConstraints["triggers"][number]>(TRIGGERS_QUERY);
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  // Migrations insert rows into some tables.
  const tables = manifest.tables.map(({ name }) => name).join(", ");
  await client.query(`TRUNCATE ${tables} RESTART IDENTITY`);
  return { foreignKeys, triggers };
}

export async function loadRows(
  client: Client,
  manifest: BackupManifest,
  tableName: string,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  const { columns } = manifest.tables.find((table) => table.name === tableName)!;
  const copy = client.query(copyFrom(`COPY ${tableName} (${columns}) FROM STDIN`));
  await pipeline(Readable.from(content), createGunzip(), copy);
  return copy.rowCount;
}

/** Restores foreign keys (which checks all rows), triggers and sequences. */
export async function endLoad(
  client: Client,
  { foreignKeys, triggers }: SuspendedConstraints,
  totals: BackupTotals,
): Promise<void> {
  for (const [sequenceName, lastValue] of Object.entries(totals.sequences))
    await client.query("SELECT setval($1::regclass, $2::bigint)", [sequenceName, lastValue]);
  for (const { table, name, always } of triggers)
    await client.query(`ALTER TABLE ${table} ENABLE ${always ? "ALWAYS " : ""}TRIGGER ${name}`);
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}
