import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { runCommand } from "./lib/command";
import { getConfiguredDatabaseUrl, withEmbeddedDatabase } from "./lib/installation";

/*
 * npm run db:migrate   applies missing migrations to the configured or the embedded database
 */
await runCommand(async () => {
  const url = await getConfiguredDatabaseUrl();
  const names = url
    ? await migrateDatabase(url)
    : await withEmbeddedDatabase(({ url }) => migrateDatabase(url));
  process.stdout.write(names.length > 0 ? `Applied ${names.join(", ")}.\n` : "Nothing to apply.\n");
});
