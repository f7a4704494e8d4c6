import { access, constants, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { getRegisteredDomains, HealthCheckError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { AppError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { getPhase } from "@/server/core/phase";
import { DAY, fromNow, MINUTE, SECOND } from "@/server/core/time";
import { isRedisResponding } from "@/server/infrastructure/rate-limit/limiter";
import { StorageError } from "@/server/infrastructure/storage/driver";
import { storage } from "@/server/infrastructure/storage/storage";
import type { CheckResult, getHealth, getLiveness, getReadiness } from "../contract";
import { pingDatabase, summarizeBacklog } from "../statements";

export type QueryContext = Pick<Context, "db" | "sql">;

export const JOB_AGE_MAX_SECONDS = 300;

export const FREE_SPACE_MIN_BYTES = 0.1 * 1024 ** 3;

/** Each check throws {@link HealthCheckError} or returns a text that is safe to publish. */
const PLATFORM_CHECKS: Record<string, (ctx: QueryContext) => Promise<string>> = {
  database: async (ctx) => {
    const startedAt = performance.now();
    await pingDatabase(ctx);
    return `${Math.round(performance.now() - startedAt)} ms`;
  },
  jobs: async (ctx) => {
    if ((await readBacklog(ctx)).oldestAgeSeconds > JOB_AGE_MAX_SECONDS) throw new HealthCheckError("late");
    return "in time";
  },
  mail: async (ctx) => {
    if ((await countLateMails(ctx)) > 0) throw new HealthCheckError("late");
    if (env().SMTP_URL) return "in time";
    return env().production ? "not set up" : "mailbox page";
  },
  ledger: async (ctx) => {
    const lastCheck = await findLastLedgerCheck(ctx);
    if (lastCheck?.differences) throw new HealthCheckError("differs");
    return lastCheck ? "agrees" : "not checked yet";
  },
  storage: async () => {
    await access(env().DATA_DIR, constants.W_OK);
    if ((await readFreeBytes()) < FREE_SPACE_MIN_BYTES) throw new HealthCheckError("nearly full");
    if (!env().s3) return "writable";
    await storage()
      .checkAccess()
      .catch((error) => {
        throw error instanceof StorageError && error.isPermanent
          ? new HealthCheckError("the bucket refuses us")
          : new HealthCheckError("the bucket does not answer");
      });
    return "writable, files in a bucket";
  },
  media: async () =>
    new URL(env().MEDIA_URL).host === new URL(env().APP_URL).host
      ? "at the panel's address; MEDIA_URL gives files their own"
      : "at an address of their own",
};

/** Last run of `check_ledger` and the differences it found; undefined before the first run. */
export async function findLastLedgerCheck({
  db,
}: QueryContext): Promise<{ at: Date; differences: number } | undefined> {
  const event = await db.auditEvent.findFirst({
    where: { action: "ledger.checked" },
    orderBy: { id: "desc" },
    select: { at: true, details: true },
  });
  const details = event?.details as { differences?: number } | null | undefined;
  return event ? { at: event.at, differences: details?.differences ?? 0 } : undefined;
}

export async function findLastBackupAt({ db }: Pick<QueryContext, "db">): Promise<Date | undefined> {
  const event = await db.auditEvent.findFirst({
    where: { action: "backup.made" },
    orderBy: { id: "desc" },
    select: { at: true },
  });
  return event?.at;
}

/** Without Redis, limits are counted in PostgreSQL and in memory: requests still work. */
async function checkRedis(): Promise<string> {
  if (!(await isRedisResponding())) throw new HealthCheckError("away, PostgreSQL and each server count");
  return "in time";
}

export async function readBacklog(
  ctx: QueryContext,
): Promise<{ waitingCount: number; oldestAgeSeconds: number }> {
  // Ignore jobs of other releases: they wait for a server of that release.
  const names = getRegisteredDomains().flatMap(({ jobs = {} }) => Object.keys(jobs));
  const [row] = await summarizeBacklog(ctx, { names });
  return { waitingCount: row?.waitingCount ?? 0, oldestAgeSeconds: row?.oldestAgeSeconds ?? 0 };
}

export function countLateMails({ db }: QueryContext): Promise<number> {
  const createdAt = { gt: fromNow(-DAY), lt: fromNow(-15 * MINUTE) };
  return db.mailMessage.count({ where: { state: "queued", createdAt } });
}

export async function readFreeBytes(): Promise<number> {
  const disk = await statfs(env().DATA_DIR);
  return disk.bavail * disk.bsize;
}

/** Omits gauges that cannot be measured. */
export async function measureGauges(ctx: QueryContext): Promise<Record<string, number>> {
  const results = await Promise.allSettled([
    readBacklog(ctx).then(({ waitingCount, oldestAgeSeconds }) => ({
      jobs_waiting: waitingCount,
      jobs_oldest_seconds: oldestAgeSeconds,
    })),
    countLateMails(ctx).then((count) => ({ mails_late: count })),
    ctx.db.mailMessage
      .count({ where: { state: "failed", createdAt: { gt: fromNow(-DAY) } } })
      .then((count) => ({ mails_failed_today: count })),
    readFreeBytes().then((bytes) => ({ storage_free_bytes: bytes })),
    findLastBackupAt(ctx).then((at) =>
      at ? { backup_age_seconds: (Date.now() - at.getTime()) / SECOND } : {},
    ),
    isRedisResponding().then((isUp) => (isUp === undefined ? {} : { redis_up: Number(isUp) })),
  ]);
  return Object.assign({}, ...results.map((each) => (each.status === "fulfilled" ? each.value : {})));
}

/** Shorter than the timeout of monitoring systems, so that they get the name of the check that hangs. */
const CHECK_TIMEOUT_MS = 2 * SECOND;

export async function withTimeout<T>(run: () => Promise<T>, timeoutMs = CHECK_TIMEOUT_MS): Promise<T> {
  const abort = new AbortController();
  const timeoutPromise = sleep(timeoutMs, undefined, { signal: abort.signal, ref: false }).then(() => {
    throw new HealthCheckError(`no response within ${timeoutMs / SECOND} s`);
  });
  try {
    return await Promise.race([run(), timeoutPromise]);
  } finally {
    timeoutPromise.catch(() => {});
    abort.abort();
  }
}

/** Public: details of failures contain no paths or addresses. */
export async function runHealthChecks(ctx: QueryContext): Promise<Output<typeof getHealth>> {
  const allChecks: typeof PLATFORM_CHECKS = {
    ...PLATFORM_CHECKS,
    ...(env().REDIS_URL && { redis: checkRedis }),
  };
  for (const { checks } of getRegisteredDomains()) Object.assign(allChecks, checks);
  const results = await Promise.all(
    Object.entries(allChecks).map(async ([name, run]): Promise<[string, CheckResult]> => {
      try {
        return [name, { ok: true, detail: await withTimeout(() => run(ctx)) }];
      } catch (error) {
        if (error instanceof HealthCheckError) return [name, { ok: false, detail: error.message }];
        log.warn({ event: "health.failed", part: name, cause: error });
        return [name, { ok: false, detail: "unavailable" }];
      }
    }),
  );
  const checks = Object.fromEntries(results);
  if (results.some(([, { ok }]) => !ok))
    throw new AppError("unhealthy", { status: "failing", checks }, { retryAfter: 10 });
  return { status: "ok", checks };
}

export async function reportLiveness(): Promise<Output<typeof getLiveness>> {
  return { status: "ok" };
}

export async function checkReadiness(ctx: QueryContext): Promise<Output<typeof getReadiness>> {
  const currentPhase = getPhase();
  if (currentPhase !== "serving")
    throw new AppError("not_ready", { status: currentPhase }, { retryAfter: 2 });
  await withTimeout(() => pingDatabase(ctx)).catch((cause) => {
    throw new AppError("not_ready", { status: "database_away" }, { retryAfter: 2, cause });
  });
  return { status: "ok" };
}
