import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { rebuildSchema } from "@/server/infrastructure/database/migrate";
import { begin } from "./dump";
import type { Manifest, Totals } from "./entries";
import { ArchiveError } from "./sealed";

const OURS = "n.nspname IN ('public', 'graphile_worker')";

/** Finds a table or view in a database that is not empty; those of extensions do not count. */
const EXISTING = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'm')
     AND NOT EXISTS (SELECT 1 FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   ORDER BY 1 LIMIT 1`;
const FOREIGN_KEYS = `
  SELECT format('%I.%I', n.nspname, c.relname) AS "table", format('%I', k.conname) AS name, pg_get_constraintdef(k.oid) AS made
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE ${OURS} AND k.contype = 'f'`;
const TRIGGERS = `
  SELECT format('%I.%I', n.nspname, c.relname) AS "table", format('%I', t.tgname) AS name, t.tgenabled = 'A' AS always
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE ${OURS} AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')`;
const QUEUE = "SELECT max(id)::int AS number FROM graphile_worker.migrations";

/** Throws {@link ArchiveError} if the database has tables or pending jobs. */
export async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(EXISTING);
  const { rows: queue } = await client.query("SELECT to_regclass('graphile_worker._private_jobs') AS name");
  const hasJobs =
    queue[0].name && (await client.query("SELECT 1 FROM graphile_worker._private_jobs LIMIT 1")).rowCount;
  const content = rows[0] ? `a table ${rows[0].name}` : hasJobs ? "jobs" : undefined;
  if (content)
    throw new ArchiveError(
      `The database is not empty, it has ${content}. Restore into a new one. Nothing was changed.`,
    );
}

export interface Suspended {
  keys: Array<{ table: string; name: string; made: string }>;
  triggers: Array<{ table: string; name: string; always: boolean }>;
}

/** Drops everything that migrations created, but not extensions. */
const CLEAR = `
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
export async function createTables(client: Client, manifest: Manifest): Promise<void> {
  // A starting server waits for this lock, which ends with the connection.
  await client.query("SELECT pg_advisory_lock($1)", [ADVISORY.migrations]);
  await requireEmpty(client);
  const { rows: queue } = await client.query<{ number: number }>(QUEUE);
  if (queue[0]!.number < manifest.queue)
    throw new ArchiveError(
      "The backup is of a newer release: restore it with that one. Nothing was changed.",
    );
  await rebuildSchema(client, manifest.migrations).catch(async (error) => {
    await clear(client);
    throw error;
  });
}

export async function clear(client: Client): Promise<void> {
  await client.query(CLEAR);
}

/** Begins the transaction of a restore: tables are empty and accept rows in any order. */
export async function beginLoad(client: Client, manifest: Manifest): Promise<Suspended> {
  await begin(client);
  const { rows: keys } = await client.query<Suspended["keys"][number]>(FOREIGN_KEYS);
  const { rows: triggers } = await client.query<Suspended["triggers"][number]>(TRIGGERS);
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  // Migrations insert rows into some tables.
  const tables = manifest.tables.map(({ name }) => name).join(", ");
  await client.query(`TRUNCATE ${tables} RESTART IDENTITY`);
  return { keys, triggers };
}

export async function loadRows(
  client: Client,
  manifest: Manifest,
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  const { columns } = manifest.tables.find((table) => table.name === name)!;
  const copy = client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`));
  await pipeline(Readable.from(content), createGunzip(), copy);
  return copy.rowCount;
}

/** Restores foreign keys (which checks all rows), triggers and sequences. */
export async function endLoad(client: Client, { keys, triggers }: Suspended, totals: Totals): Promise<void> {
  for (const [name, at] of Object.entries(totals.sequences))
    await client.query("SELECT setval($1::regclass, $2::bigint)", [name, at]);
  for (const { table, name, always } of triggers)
    await client.query(`ALTER TABLE ${table} ENABLE ${always ? "ALWAYS " : ""}TRIGGER ${name}`);
  for (const { table, name, made } of keys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${made}`);
}
