import { runCommand } from "@/scripts/lib/command";
import { withDatabase } from "@/scripts/lib/installation";
import { env } from "@/server/core/env";
import { OperatorError } from "@/server/core/operator-error";
import { formatDemoGreeting, seedDemo } from "@/server/demo/seed";
import { ensureDefaultPlans } from "@/server/domains/billing/subscriptions/service/plans";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { checkAppSecret } from "@/server/infrastructure/secrets/fingerprint";

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
  await migrateDatabase(url);
  openDatabase(url);
  try {
    await checkAppSecret();
    await ensureDefaultPlans(withoutTransaction());
    const isSeeded = await seedDemo();
    const { accounts, sites } = await countRecords();
    process.stdout.write(
      isSeeded
        ? `Seeded ${accounts} demo accounts with ${sites} sites.\n${formatDemoGreeting(env().APP_URL)}`
        : `Nothing seeded: the database has ${accounts} accounts already.\n`,
    );
  } finally {
    await closeDatabase();
  }
}

await runCommand(async () => {
  if (env().production)
    throw new OperatorError("Demo accounts have a published password; production has none.");
  await withDatabase(seed);
});
