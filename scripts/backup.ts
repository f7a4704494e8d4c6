import { resolve } from "node:path";
import "@/server/domains";
import { recordBackup } from "@/server/domains/platform/health/service/backups";
import { backUp } from "@/server/infrastructure/backup/backup";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { checkSecret } from "@/server/infrastructure/secrets/fingerprint";
import { perform } from "./lib/command";
import { summarySentence } from "./lib/summary-sentence";
import { readArguments } from "./lib/usage.mjs";
import { requireFiles, withInstallation } from "./lib/with-embedded";

/*
 * npm run backup -- <file>   writes database and files into one encrypted file, also while servers run
 *
 * For example: npm run backup -- /backups/tellal-2027-01-31.backup
 */
const [name = ""] = readArguments(import.meta.url).positionals;

async function backup(url: string, file: string): Promise<void> {
  connectTo(url);
  try {
    // A backup under another secret could not be restored with the installation's.
    await checkSecret();
    const summary = await backUp(url, file);
    await recordBackup(summary);
    process.stdout.write(
      `${summarySentence("Backed up", summary)}\n${file} opens with this APP_SECRET only, which is not in it.\n`,
    );
  } finally {
    await closeDatabase();
  }
}

await perform(async () => {
  requireFiles();
  await withInstallation((url) => backup(url, resolve(name)));
});
