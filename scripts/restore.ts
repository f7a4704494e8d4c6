import { resolve } from "node:path";
import "@/server/domains";
import { type Checked, checkBackup, requireNoFiles, restore } from "@/server/infrastructure/backup/restore";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { JOB_PATIENCE, withPatience } from "@/server/infrastructure/database/patience";
import { checkSecret } from "@/server/infrastructure/secrets/known";
import { perform } from "./lib/command";
import { told } from "./lib/told";
import { readArguments } from "./lib/usage.mjs";
import { ownDatabase, requireSecret, withEmbedded } from "./lib/with-embedded";

/*
 * npm run restore -- <file>   puts a backup into an empty database and empty storage: those of the settings
 *
 * The file is read to its end before anything is changed, so the disk is read twice.
 */
const [name = ""] = readArguments(import.meta.url).positionals;

async function put(url: string, checked: Checked): Promise<void> {
  connectTo(url);
  try {
    await withPatience(JOB_PATIENCE, async () => {
      const summary = await restore(url, checked);
      await checkSecret();
      process.stdout.write(
        `${told("Restored", summary)}\nStart the servers; mails and jobs that waited then go on.\n`,
      );
    });
  } finally {
    await closeDatabase();
  }
}

await perform(async () => {
  requireSecret("the backup's installation");
  const checked = await checkBackup(resolve(name));
  await requireNoFiles();
  const own = await ownDatabase();
  await (own ? put(own, checked) : withEmbedded(({ url }) => put(url, checked)));
});
