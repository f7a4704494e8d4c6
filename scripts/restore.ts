import { resolve } from "node:path";
import "@/server/domains";
import {
  type CheckedBackup,
  checkBackup,
  requireNoFiles,
  restore,
} from "@/server/infrastructure/backup/restore";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import {
  JOB_STATEMENT_TIMEOUT,
  withStatementTimeout,
} from "@/server/infrastructure/database/statement-timeout";
import { checkSecret } from "@/server/infrastructure/secrets/fingerprint";
import { perform } from "./lib/command";
import { summarySentence } from "./lib/summary-sentence";
import { readArguments } from "./lib/usage.mjs";
import { configuredDatabase, requireSecret, withEmbedded } from "./lib/with-embedded";

/*
 * npm run restore -- <file>   restores a backup into the configured database and storage, which must be empty
 *
 * Reads the whole file before it changes anything.
 */
const [name = ""] = readArguments(import.meta.url).positionals;

async function restoreInto(url: string, checked: CheckedBackup): Promise<void> {
  connectTo(url);
  try {
    await withStatementTimeout(JOB_STATEMENT_TIMEOUT, async () => {
      const summary = await restore(url, checked);
      await checkSecret();
      process.stdout.write(
        `${summarySentence("Restored", summary)}\nStart the servers; waiting mails and jobs then continue.\n`,
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
  const configured = await configuredDatabase();
  await (configured
    ? restoreInto(configured, checked)
    : withEmbedded(({ url }) => restoreInto(url, checked)));
});
