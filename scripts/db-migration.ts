import { writeMigration } from "@/server/infrastructure/database/write-migration";
import { runCommand } from "./lib/command";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run db:migration -- <name>             writes a migration from the changes in prisma/schema
 * npm run db:migration -- <name> --by-hand   also writes a file for your own SQL if nothing changed there
 */
const { values, positionals } = readArguments(import.meta.url);
const [name = ""] = positionals;

await runCommand(async () => {
  const folder = await writeMigration(name, { byHand: values["by-hand"] === true });
  process.stdout.write(
    folder
      ? `Wrote prisma/migrations/${folder}/migration.sql; read it before you commit it.\n`
      : "Nothing changed.\n",
  );
});
