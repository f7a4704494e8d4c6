import { createInterface } from "node:readline/promises";
import { Client } from "pg";
import { env } from "@/server/core/env";
import { migrate } from "@/server/infrastructure/database/migrate";
import { writeMigration } from "@/server/infrastructure/database/write-migration";
import { ownDatabase, withEmbedded } from "./lib/with-embedded";

/*
 * npm run db:migration -- <name>   writes a migration from what changed in prisma/schema
 * npm run db:migration -- <name> --by-hand   the same, with a file for your own SQL when nothing changed there
 * npm run db:migrate               applies what is missing to DATABASE_URL, or to the embedded database
 * npm run db:reset [-- --yes]      empties the embedded database
 */

const say = (text: string) => process.stdout.write(`${text}\n`);

async function migration(name: string | undefined, flag: string | undefined) {
  if (!name) throw new Error("Give the migration a name: npm run db:migration -- add_invoices");
  const folder = await writeMigration(name, { byHand: flag === "--by-hand" });
  say(
    folder
      ? `Wrote prisma/migrations/${folder}/migration.sql; read it before you commit it.`
      : "Nothing changed.",
  );
}

async function migrateDatabase() {
  const url = ownDatabase();
  const names = url ? await migrate(url) : await withEmbedded(({ url }) => migrate(url));
  say(names.length > 0 ? `Applied ${names.join(", ")}.` : "Nothing to apply.");
}

async function reset(flag: string | undefined) {
  if (env().DATABASE_URL)
    throw new Error("db:reset empties the embedded database only, and DATABASE_URL is set.");
  if (flag !== "--yes" && !(await confirmed())) return;
  await withEmbedded(async ({ adminUrl }) => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    await client.query("DROP DATABASE IF EXISTS tellal WITH (FORCE)");
    await client.end();
  });
  say("The database is empty; the next start fills it again.");
}

async function confirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const reply = await terminal.question(`Delete all rows in ${env().DATA_DIR}? Type yes: `);
  terminal.close();
  return reply.trim() === "yes";
}

const [command, ...rest] = process.argv.slice(2);
const commands: Record<string, (argument?: string, flag?: string) => Promise<void>> = {
  migration,
  migrate: migrateDatabase,
  reset,
};

try {
  await commands[command ?? ""]?.(...rest);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
