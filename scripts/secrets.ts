import { OperatorError } from "@/server/core/operator-error";
import "@/server/domains";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import {
  JOB_STATEMENT_TIMEOUT,
  withStatementTimeout,
} from "@/server/infrastructure/database/statement-timeout";
import { checkSecret } from "@/server/infrastructure/secrets/fingerprint";
import { rotateSecrets } from "@/server/infrastructure/secrets/rotate";
import { perform } from "./lib/command";
import { configuredDatabase, requireInstallation, requireTables, withEmbedded } from "./lib/with-embedded";

/*
 * npm run secrets:rotate   re-encrypts under APP_SECRET every value that was encrypted under APP_SECRET_OLD
 *
 * Both are settings; docs/secrets.md describes the steps.
 */

async function rotate(url: string): Promise<void> {
  await requireTables(url);
  await migrate(url);
  connectTo(url);
  try {
    await withStatementTimeout(JOB_STATEMENT_TIMEOUT, async () => {
      await checkSecret();
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

await perform(async () => {
  requireInstallation();
  const configured = await configuredDatabase();
  await (configured ? rotate(configured) : withEmbedded(({ url }) => rotate(url)));
});
