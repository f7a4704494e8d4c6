import { migrate } from "@/server/infrastructure/database/migrate";
import { perform } from "./lib/command";
import { ownDatabase, withEmbedded } from "./lib/with-embedded";

/*
 * npm run db:migrate   applies missing migrations to the database of the settings, or to the embedded database
 */
await perform(async () => {
  const url = await ownDatabase();
  const names = url ? await migrate(url) : await withEmbedded(({ url }) => migrate(url));
  process.stdout.write(names.length > 0 ? `Applied ${names.join(", ")}.\n` : "Nothing to apply.\n");
});
