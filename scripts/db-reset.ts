import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { Client } from "pg";
import { env } from "@/server/core/env";
import { OperatorError } from "@/server/core/operator-error";
import { runCommand } from "./lib/command";
import { requireDatabase, withEmbeddedDatabase } from "./lib/installation";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run db:reset            asks for confirmation, then empties the embedded database
 * npm run db:reset -- --yes   does not ask
 */
const { values } = readArguments(import.meta.url);

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new OperatorError("db:reset asks before it deletes; without a terminal, use -- --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = terminal.question(`Delete all rows in ${env().DATA_DIR}? Type yes: `);
  // Ctrl+D closes the terminal without an answer.
  const answer = await Promise.race([question, once(terminal, "close").then(() => "")]);
  terminal.close();
  return answer.trim() === "yes";
}

await runCommand(async () => {
  if (env().DATABASE_URL)
    throw new OperatorError("db:reset empties the embedded database only, and DATABASE_URL is set.");
  requireDatabase();
  if (!values.yes && !(await isConfirmed())) return;
  await withEmbeddedDatabase(async ({ adminUrl }) => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    await client.query("DROP DATABASE IF EXISTS tellal WITH (FORCE)");
    await client.end();
  });
  process.stdout.write("The database is empty; the next start fills it again.\n");
});
