import { perform } from "@/scripts/lib/command";
import { withDatabase } from "@/scripts/lib/with-embedded";
import { env } from "@/server/core/env";
import { OperatorError } from "@/server/core/operator-error";
import { greeting, seedDemo } from "@/server/demo/seed";
import { ensurePlans } from "@/server/domains/billing/subscriptions/service/plans";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { checkSecret } from "@/server/infrastructure/secrets/fingerprint";

/*
 * npm run seed
 *
 * Fills an empty database with the demo accounts. A server in demo mode does this itself.
 */

async function countRecords() {
  const { db } = withoutTransaction();
  return { accounts: await db.user.count(), sites: await db.site.count() };
}

async function seed(url: string): Promise<void> {
  await migrate(url);
  connectTo(url);
  try {
    await checkSecret();
    await ensurePlans(withoutTransaction());
    const seeded = await seedDemo();
    const { accounts, sites } = await countRecords();
    process.stdout.write(
      seeded
        ? `Seeded ${accounts} demo accounts with ${sites} sites.\n${greeting(env().APP_URL)}`
        : `Nothing seeded: the database has ${accounts} accounts already.\n`,
    );
  } finally {
    await closeDatabase();
  }
}

await perform(async () => {
  if (env().production)
    throw new OperatorError("Demo accounts have a published password; production has none.");
  await withDatabase(seed);
});
