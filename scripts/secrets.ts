import { env } from "@/server/core/env";
import "@/server/domains";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import { JOB_PATIENCE, withPatience } from "@/server/infrastructure/database/patience";
import { checkSecret } from "@/server/infrastructure/secrets/known";
import { rotateSecrets } from "@/server/infrastructure/secrets/rotate";
import { withEmbedded } from "./lib/with-embedded";

/* npm run secrets:rotate: seals everything under APP_SECRET that was sealed under one of APP_SECRET_OLD. */

async function rotate(url: string): Promise<void> {
  await migrate(url);
  connectTo(url);
  try {
    await withPatience(JOB_PATIENCE, async () => {
      await checkSecret();
      const { resealed, unreadable } = await rotateSecrets();
      process.stdout.write(`${resealed} values are sealed again under APP_SECRET.\n`);
      if (unreadable.length > 0)
        throw new Error(
          `No secret that was given opens ${unreadable.length} values: ${unreadable.join(", ")}.`,
        );
    });
  } finally {
    await closeDatabase();
  }
}

try {
  // Whoever asks how it is used does not want it done.
  if (process.argv.length > 2)
    throw new Error(
      "Usage: npm run secrets:rotate (with APP_SECRET and APP_SECRET_OLD; see docs/secrets.md)",
    );
  const { DATABASE_URL } = env();
  await (DATABASE_URL ? rotate(DATABASE_URL) : withEmbedded(({ url }) => rotate(url)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
