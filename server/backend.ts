import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { loadDemo } from "./build";
import type { Env } from "./core/env";
import { printLine, printStep } from "./core/log";
import "./domains";
import { writeKeyUse } from "./domains/accounts/key-use/service/record";
import { ensureDefaultPlans } from "./domains/billing/subscriptions/service/plans";
import { appointFirstAdministrator } from "./domains/tenancy/administration/service/appoint";
import { ensureDataDirectory, lockDataDirectory } from "./infrastructure/data-directory-lock";
import { closeDatabase, openDatabase } from "./infrastructure/database/client";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./infrastructure/database/embedded";
import { migrateDatabase } from "./infrastructure/database/migrate";
import { checkPooling } from "./infrastructure/database/pooler";
import { JOB_STATEMENT_TIMEOUT_MS, withStatementTimeout } from "./infrastructure/database/statement-timeout";
import { migrateJobQueue, startWorker, unlockAllJobs } from "./infrastructure/jobs/worker";
import { closeLimiter, connectLimiter } from "./infrastructure/rate-limit/limiter";
import { RequestStats } from "./infrastructure/request-stats";
import { checkAppSecret } from "./infrastructure/secrets/fingerprint";
import { prepareDecoyHash } from "./infrastructure/secrets/password";
import { checkBucket } from "./infrastructure/storage/check-bucket";

export interface Backend {
  databaseUrl: string;
  stopJobs(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the services that the settings enable and prints a line per step. */
export async function startBackend(settings: Env, { runsJobs }: { runsJobs: boolean }): Promise<Backend> {
  // With an external database, several servers share one data directory.
  const unlock = settings.DATABASE_URL
    ? await ensureDataDirectory(settings.DATA_DIR)
    : await lockDataDirectory(settings.DATA_DIR);
  const stepStartedAt = performance.now();
  const embedded = settings.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: settings.DATA_DIR });
  if (embedded) printStep("database is up (embedded PostgreSQL)", stepStartedAt);
  const closeAll = async () => {
    await closeLimiter();
    await closeDatabase();
    await embedded?.stop();
    unlock?.();
  };
  try {
    const databaseUrl = await prepareDatabase(settings, embedded);
    await Promise.all([prepareDecoyHash(), connectLimiter()]);
    const runner = runsJobs ? await startWorker() : undefined;
    const requestStats = new RequestStats();
    requestStats.start();
    return {
      databaseUrl,
      stopJobs: async () => runner?.stop(),
      close: async () => {
        await requestStats.stop();
        // Statistics only: a failure must not fail the stop.
        await writeKeyUse().catch((error: Error) =>
          printLine(`the use of keys was not written: ${error.message}`),
        );
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll().catch(() => {});
    throw error;
  }
}

async function prepareDatabase(settings: Env, embedded: EmbeddedPostgres | undefined): Promise<string> {
  await checkBucket(settings);
  const url = settings.DATABASE_URL ?? embedded!.url;
  if (!embedded) await checkPooling(settings, printLine);
  openDatabase(url);

  let stepStartedAt = performance.now();
  const appliedMigrations = await migrateDatabase(settings.DATABASE_DIRECT_URL ?? url);
  await checkAppSecret();
  await withStatementTimeout(JOB_STATEMENT_TIMEOUT_MS, async () => {
    await migrateJobQueue();
    // The data directory is locked: jobs marked as running belong to dead processes.
    if (embedded) await unlockAllJobs();
    await ensureDefaultPlans(withoutTransaction());
  });
  printStep(
    appliedMigrations.length > 0
      ? `applied ${appliedMigrations.length} migration${appliedMigrations.length > 1 ? "s" : ""}`
      : "schema is up to date",
    stepStartedAt,
  );

  if (settings.production && settings.ADMIN_EMAIL) await appointAdministrator(settings.ADMIN_EMAIL, settings);

  stepStartedAt = performance.now();
  if (settings.SEED === "demo" && (await (await loadDemo()).seedDemo()))
    printStep("seeded demo accounts", stepStartedAt);
  return url;
}

/** Appoints the first administrator. Prints the link if there is no mail server: only the operator sees it. */
async function appointAdministrator(email: string, { ADMIN_NAME: name }: Env): Promise<void> {
  const stepStartedAt = performance.now();
  const appointment = await appointFirstAdministrator({ email, name });
  if (!appointment) return;
  printStep("appointed the first administrator", stepStartedAt);
  if (appointment.isMailed) return;
  process.stdout.write(
    `  To set the password of ${email}, open this within ${appointment.linkLifetimeHours} hours:\n  ${appointment.link}\n`,
  );
}
