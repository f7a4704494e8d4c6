import { OperatorError } from "@/server/core/operator-error";
import "@/server/domains";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import {
  JOB_STATEMENT_TIMEOUT_MS,
  withStatementTimeout,
} from "@/server/infrastructure/database/statement-timeout";
import { checkAppSecret } from "@/server/infrastructure/secrets/fingerprint";
import { rotateSecrets } from "@/server/infrastructure/secrets/rotate";
import { runCommand } from "./lib/command";
import {
  getConfiguredDatabaseUrl,
  requireInstallation,
  requireTables,
  withEmbeddedDatabase,
} from "./lib/installation";

/*
 * npm run secrets:rotate   re-encrypts under APP_SECRET every value that was encrypted under APP_SECRET_OLD
 *
 * Both are settings; docs/secrets.md describes the steps.
 */

async function rotateInDatabase(url: string): Promise<void> {
  await requireTables(url);
  await migrateDatabase(url);
  openDatabase(url);
  try {
    await withStatementTimeout(JOB_STATEMENT_TIMEOUT_MS, async () => {
      await checkAppSecret();
      const { resealed, unreadable } = await rotateSecrets();
      process.stdout.write(`${resealed} values are encrypted under APP_SECRET now.\n`);
      if (unreadable.length > 0)
        throw new OperatorError(
          `No configured secret decrypts ${unreadable.length} values: ${unreadable.join(", ")}.`,
        );
    });
  } finally {
    await closeDatabase();
  }
}

await runCommand(async () => {
  requireInstallation();
  const configuredUrl = await getConfiguredDatabaseUrl();
  await (configuredUrl
    ? rotateInDatabase(configuredUrl)
    : withEmbeddedDatabase(({ url }) => rotateInDatabase(url)));
});
