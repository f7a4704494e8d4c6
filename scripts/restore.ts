import { resolve } from "node:path";
import "@/server/domains";
import {
  type CheckedBackup,
  checkBackup,
  requireNoStoredFiles,
  restoreBackup,
} from "@/server/infrastructure/backup/restore";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import {
  JOB_STATEMENT_TIMEOUT_MS,
  withStatementTimeout,
} from "@/server/infrastructure/database/statement-timeout";
import { checkAppSecret } from "@/server/infrastructure/secrets/fingerprint";
import { runCommand } from "./lib/command";
import { getConfiguredDatabaseUrl, requireSecret, withEmbeddedDatabase } from "./lib/installation";
import { formatSummary } from "./lib/summary-sentence";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run restore -- <file>   restores a backup into the configured database and storage, which must be empty
 *
 * Reads the whole file before it changes anything.
 */
const [fileArgument = ""] = readArguments(import.meta.url).positionals;

async function restoreInto(url: string, backup: CheckedBackup): Promise<void> {
  openDatabase(url);
  try {
    await withStatementTimeout(JOB_STATEMENT_TIMEOUT_MS, async () => {
      const summary = await restoreBackup(url, backup);
      await checkAppSecret();
      process.stdout.write(
        `${formatSummary("Restored", summary)}\nStart the servers; waiting mails and jobs then continue.\n`,
      );
    });
  } finally {
    await closeDatabase();
  }
}

await runCommand(async () => {
  requireSecret("the backup's installation");
  const backup = await checkBackup(resolve(fileArgument));
  await requireNoStoredFiles();
  const configuredUrl = await getConfiguredDatabaseUrl();
  await (configuredUrl
    ? restoreInto(configuredUrl, backup)
    : withEmbeddedDatabase(({ url }) => restoreInto(url, backup)));
});
