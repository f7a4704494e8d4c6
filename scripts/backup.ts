import { resolve } from "node:path";
import "@/server/domains";
import { recordBackup } from "@/server/domains/platform/health/service/backups";
import { backUp } from "@/server/infrastructure/backup/backup";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { checkAppSecret } from "@/server/infrastructure/secrets/fingerprint";
import { runCommand } from "./lib/command";
import { requireDataDirectory, withInstallation } from "./lib/installation";
import { formatSummary } from "./lib/summary-sentence";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run backup -- <file>   writes database and files into one encrypted file, also while servers run
 *
 * For example: npm run backup -- /backups/tellal-2027-01-31.backup
 */
const [fileArgument = ""] = readArguments(import.meta.url).positionals;

async function writeBackup(url: string, file: string): Promise<void> {
  openDatabase(url);
  try {
    // A backup under another secret could not be restored with the installation's.
    await checkAppSecret();
    const summary = await backUp(url, file);
    await recordBackup(summary);
    process.stdout.write(
      `${formatSummary("Backed up", summary)}\n${file} opens with this APP_SECRET only, which is not in it.\n`,
    );
  } finally {
    await closeDatabase();
  }
}

await runCommand(async () => {
  requireDataDirectory();
  await withInstallation((url) => writeBackup(url, resolve(fileArgument)));
});
