import { withDatabase } from "@/scripts/lib/with-embedded";
import { env } from "@/server/core/env";
import { seedDemo } from "@/server/demo/seed";
import { ensurePlans } from "@/server/domains/billing/subscriptions/service";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import { outside } from "@/server/infrastructure/database/transaction";

/* npm run seed: fills an empty database with the demo accounts; a server in demo mode has already done so. */

async function seed(url: string): Promise<void> {
  await migrate(url);
  connectTo(url);
  try {
    await ensurePlans(outside());
    const seeded = await seedDemo();
    process.stdout.write(
      seeded ? "Seeded the demo accounts.\n" : "Nothing to do: the database has accounts already.\n",
    );
  } finally {
    await closeDatabase();
  }
}

try {
  if (env().production) throw new Error("Demo accounts have a published password; production has none.");
  await withDatabase(seed);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
