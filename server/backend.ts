import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { loadDemo } from "./build";
import type { Env } from "./core/env";
import { printLine, printStep } from "./core/log";
import "./domains";
import { writeUse } from "./domains/accounts/key-use/service";
import { ensurePlans } from "./domains/billing/subscriptions/service/plans";
import { appointFirst } from "./domains/tenancy/administration/service/appoint";
import { closeDatabase, connectTo } from "./infrastructure/database/client";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./infrastructure/database/embedded";
import { migrate } from "./infrastructure/database/migrate";
import { checkPooling } from "./infrastructure/database/pooler";
import { JOB_STATEMENT_TIMEOUT, withStatementTimeout } from "./infrastructure/database/statement-timeout";
import { migrateJobs, releaseAllJobs, startWorker } from "./infrastructure/jobs/worker";
import { lockDataDirectory, openDataDirectory } from "./infrastructure/lock";
import { closeLimiter, connectLimiter } from "./infrastructure/rate-limit/limiter";
import { checkSecret } from "./infrastructure/secrets/fingerprint";
import { warmPasswords } from "./infrastructure/secrets/password";
import { checkBucket } from "./infrastructure/storage/start";

export interface Backend {
  databaseUrl: string;
  stopWork(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the services that the settings enable and prints a line per step. */
export async function startBackend(settings: Env, { work }: { work: boolean }): Promise<Backend> {
  // With an external database, several servers share one data directory.
  const unlock = settings.DATABASE_URL
    ? await openDataDirectory(settings.DATA_DIR)
    : await lockDataDirectory(settings.DATA_DIR);
  const at = performance.now();
  const embedded = settings.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: settings.DATA_DIR });
  if (embedded) printStep("database is up (embedded PostgreSQL)", at);
  const closeAll = async () => {
    await closeLimiter();
    await closeDatabase();
    await embedded?.stop();
    unlock?.();
  };
  try {
    const databaseUrl = await prepareDatabase(settings, embedded);
    await Promise.all([warmPasswords(), connectLimiter()]);
    const runner = work ? await startWorker() : undefined;
    return {
      databaseUrl,
      stopWork: async () => runner?.stop(),
      close: async () => {
        // Statistics only: a failure must not fail the stop.
        await writeUse().catch((error: Error) =>
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
  connectTo(url);

  let at = performance.now();
  const applied = await migrate(settings.DATABASE_DIRECT_URL ?? url);
  await checkSecret();
  await withStatementTimeout(JOB_STATEMENT_TIMEOUT, async () => {
    await migrateJobs();
    // The data directory is locked, so no other worker runs: jobs still marked as running belong to dead
    // processes.
    if (embedded) await releaseAllJobs();
    await ensurePlans(withoutTransaction());
  });
  printStep(
    applied.length > 0
      ? `applied ${applied.length} migration${applied.length > 1 ? "s" : ""}`
      : "schema is up to date",
    at,
  );

  if (settings.production && settings.ADMIN_EMAIL) await appointAdministrator(settings.ADMIN_EMAIL, settings);

  at = performance.now();
  if (settings.SEED === "demo" && (await (await loadDemo()).seedDemo()))
    printStep("seeded demo accounts", at);
  return url;
}

/** Without a mail server, prints the password link: only the operator reads the log. */
async function appointAdministrator(email: string, { ADMIN_NAME: name }: Env): Promise<void> {
  const at = performance.now();
  const appointed = await appointFirst({ email, name });
  if (!appointed) return;
  printStep("appointed the first administrator", at);
  if (appointed.mailed) return;
  process.stdout.write(
    `  To set the password of ${email}, open this within ${appointed.hours} hours:\n  ${appointed.link}\n`,
  );
}
