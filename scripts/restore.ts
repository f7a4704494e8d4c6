import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { env } from "@/server/core/env";
import "@/server/domains";
import { type Checked, checkBackup, requireNoFiles, restore } from "@/server/infrastructure/backup/restore";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { JOB_PATIENCE, withPatience } from "@/server/infrastructure/database/patience";
import { checkSecret } from "@/server/infrastructure/secrets/known";
import { told } from "./lib/told";
import { ownDatabase, withEmbedded } from "./lib/with-embedded";

/*
 * npm run restore -- <file>   puts a backup into an empty database and empty storage: those of the settings
 *
 * The file is read to its end before anything is touched, so the disk is read twice.
 */

/** Without this, a new secret would be made, and the refusal would speak of a wrong one. */
function requireSecret(): void {
  const { APP_SECRET, DATA_DIR } = env();
  const kept = join(DATA_DIR, "app.secret");
  if (!APP_SECRET && !existsSync(kept))
    throw new Error(
      `Set APP_SECRET to that of the backup's installation, or put its file app.secret at ${kept}.`,
    );
}

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

try {
  const [name] = process.argv.slice(2);
  if (!name) throw new Error("Name the backup: npm run restore -- /backups/tellal-2027-01-31.backup");
  requireSecret();
  const checked = await checkBackup(resolve(name));
  await requireNoFiles();
  const own = ownDatabase();
  await (own ? put(own, checked) : withEmbedded(({ url }) => put(url, checked)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
