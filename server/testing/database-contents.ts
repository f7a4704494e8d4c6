import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { Client } from "pg";
import { storage } from "@/server/infrastructure/storage/storage";

const TABLES_SQL = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
   WHERE schemaname IN ('public', 'graphile_worker') ORDER BY 1`;
const SCHEMA_SQL = `
  SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE connamespace = 'public'::regnamespace
   UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
   UNION ALL SELECT pg_get_triggerdef(t.oid) || t.tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
              WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace
   UNION ALL SELECT sequencename || ' ' || coalesce(last_value::text, '-') FROM pg_sequences WHERE schemaname = 'public'
   ORDER BY 1`;

export async function readDatabaseChecksums(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables: Record<string, string> = {};
    for (const { name } of (await client.query<{ name: string }>(TABLES_SQL)).rows) {
      const { rows } = await client.query<{ sum: string }>(
        `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum FROM ${name} t`,
      );
      // Rows of `graphile_worker.migrations` contain the time of the migration.
      if (name !== "graphile_worker.migrations") tables[name] = rows[0]!.sum;
    }
    const schema = (await client.query<{ definition: string }>(SCHEMA_SQL)).rows.map(
      ({ definition }) => definition,
    );
    return { tables, schema };
  } finally {
    await client.end();
  }
}

export async function readFileChecksums(): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {};
  for await (const { key } of storage().listAll())
    checksums[key] = createHash("sha256")
      .update(await buffer((await storage().read(key))!.open()))
      .digest("hex");
  return checksums;
}
