import { OperatorError } from "@/server/core/operator-error";
import "@/server/domains";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import { JOB_PATIENCE, withPatience } from "@/server/infrastructure/database/patience";
import { checkSecret } from "@/server/infrastructure/secrets/known";
import { rotateSecrets } from "@/server/infrastructure/secrets/rotate";
import { perform } from "./lib/command";
import { ownDatabase, requireInstallation, requireTables, withEmbedded } from "./lib/with-embedded";

/*
 * npm run secrets:rotate   seals everything under APP_SECRET that was sealed under one of APP_SECRET_OLD
 *
 * Both are settings; docs/secrets.md describes the steps.
 */

async function rotate(url: string): Promise<void> {
  await requireTables(url);
  await migrate(url);
  connectTo(url);
  try {
    await withPatience(JOB_PATIENCE, async () => {
      await checkSecret();
      const { resealed, unreadable } = await rotateSecrets();
      process.stdout.write(`${resealed} values are sealed again under APP_SECRET.\n`);
      if (unreadable.length > 0)
        throw new OperatorError(
          `No secret that was given opens ${unreadable.length} values: ${unreadable.join(", ")}.`,
        );
    });
  } finally {
    await closeDatabase();
  }
}

await perform(async () => {
  requireInstallation();
  const own = await ownDatabase();
  await (own ? rotate(own) : withEmbedded(({ url }) => rotate(url)));
});
