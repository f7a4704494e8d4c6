import { access, constants, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { HealthCheckError, registeredDomains } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { AppError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { phase } from "@/server/core/phase";
import { DAY, fromNow, MINUTE, SECOND } from "@/server/core/time";
import { redisResponds } from "@/server/infrastructure/rate-limit/limiter";
import { StorageError } from "@/server/infrastructure/storage/driver";
import { storage } from "@/server/infrastructure/storage/storage";
import type { CheckResult, getHealth, getLiveness, getReadiness } from "../contract";
import { findBacklog, ping } from "../statements";

export type Work = Pick<Context, "db" | "sql">;

/** Maximum age of a waiting job, in seconds. */
export const JOB_AGE_MAX = 300;

/** Minimum free disk space, in bytes. */
export const FREE_SPACE_MIN = 0.1 * 1024 ** 3;

/** Checks outside of the domains: each throws {@link HealthCheckError} or returns a text that is safe to publish. */
const CHECKS: Record<string, (work: Work) => Promise<string>> = {
  database: async (work) => {
    const startedAt = performance.now();
    await ping(work);
    return `${Math.round(performance.now() - startedAt)} ms`;
  },
  jobs: async (work) => {
    if ((await backlog(work)).oldest > JOB_AGE_MAX) throw new HealthCheckError("late");
    return "in time";
  },
  mail: async (work) => {
    if ((await lateMails(work)) > 0) throw new HealthCheckError("late");
    if (env().SMTP_URL) return "in time";
    return env().production ? "not set up" : "mailbox page";
  },
  ledger: async (work) => {
    const checked = await lastLedgerCheck(work);
    if (checked?.differences) throw new HealthCheckError("differs");
    return checked ? "agrees" : "not checked yet";
  },
  storage: async () => {
    await access(env().DATA_DIR, constants.W_OK);
    if ((await freeSpace()) < FREE_SPACE_MIN) throw new HealthCheckError("nearly full");
    if (!env().s3) return "writable";
    await storage()
      .check()
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
export async function lastLedgerCheck({ db }: Work): Promise<{ at: Date; differences: number } | undefined> {
  const event = await db.auditEvent.findFirst({
    where: { action: "ledger.checked" },
    orderBy: { id: "desc" },
    select: { at: true, details: true },
  });
  const details = event?.details as { differences?: number } | null | undefined;
  return event ? { at: event.at, differences: details?.differences ?? 0 } : undefined;
}

export async function lastBackup({ db }: Pick<Work, "db">): Promise<Date | undefined> {
  const event = await db.auditEvent.findFirst({
    where: { action: "backup.made" },
    orderBy: { id: "desc" },
    select: { at: true },
  });
  return event?.at;
}

/** Without Redis, limits are counted in PostgreSQL and in memory: requests still work. */
async function checkRedis(): Promise<string> {
  if (!(await redisResponds())) throw new HealthCheckError("away, PostgreSQL and each server count");
  return "in time";
}

export async function backlog(work: Work): Promise<{ waiting: number; oldest: number }> {
  // Ignore jobs of other releases: they wait for a server of that release.
  const names = registeredDomains().flatMap(({ jobs = {} }) => Object.keys(jobs));
  const [queue] = await findBacklog(work, { names });
  return { waiting: queue?.waiting ?? 0, oldest: queue?.oldest ?? 0 };
}

export function lateMails({ db }: Work): Promise<number> {
  const createdAt = { gt: fromNow(-DAY), lt: fromNow(-15 * MINUTE) };
  return db.mailMessage.count({ where: { state: "queued", createdAt } });
}

export async function freeSpace(): Promise<number> {
  const disk = await statfs(env().DATA_DIR);
  return disk.bavail * disk.bsize;
}

/** Gauges for the metrics, by name; omits those that cannot be measured. */
export async function gauges(work: Work): Promise<Record<string, number>> {
  const measured = await Promise.allSettled([
    backlog(work).then(({ waiting, oldest }) => ({ jobs_waiting: waiting, jobs_oldest_seconds: oldest })),
    lateMails(work).then((count) => ({ mails_late: count })),
    work.db.mailMessage
      .count({ where: { state: "failed", createdAt: { gt: fromNow(-DAY) } } })
      .then((count) => ({ mails_failed_today: count })),
    freeSpace().then((bytes) => ({ storage_free_bytes: bytes })),
    lastBackup(work).then((at) => (at ? { backup_age_seconds: (Date.now() - at.getTime()) / SECOND } : {})),
    redisResponds().then((up) => (up === undefined ? {} : { redis_up: Number(up) })),
  ]);
  return Object.assign({}, ...measured.map((each) => (each.status === "fulfilled" ? each.value : {})));
}

/** Shorter than the timeout of monitoring, so that a check that hangs is reported as failed. */
const CHECK_LIMIT = 2 * SECOND;

export async function withTimeout<T>(run: () => Promise<T>, limit = CHECK_LIMIT): Promise<T> {
  const abort = new AbortController();
  const timeout = sleep(limit, undefined, { signal: abort.signal, ref: false }).then(() => {
    throw new HealthCheckError(`no response within ${limit / SECOND} s`);
  });
  try {
    return await Promise.race([run(), timeout]);
  } finally {
    timeout.catch(() => {});
    abort.abort();
  }
}

/** Runs all checks. Details of failures contain no paths or addresses. */
export async function check(work: Work): Promise<Output<typeof getHealth>> {
  const parts: typeof CHECKS = { ...CHECKS, ...(env().REDIS_URL && { redis: checkRedis }) };
  for (const { checks } of registeredDomains()) Object.assign(parts, checks);
  const results = await Promise.all(
    Object.entries(parts).map(async ([name, run]): Promise<[string, CheckResult]> => {
      try {
        return [name, { ok: true, detail: await withTimeout(() => run(work)) }];
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

export async function live(): Promise<Output<typeof getLiveness>> {
  return { status: "ok" };
}

export async function ready(work: Work): Promise<Output<typeof getReadiness>> {
  const currentPhase = phase();
  if (currentPhase !== "serving")
    throw new AppError("not_ready", { status: currentPhase }, { retryAfter: 2 });
  await withTimeout(() => ping(work)).catch((cause) => {
    throw new AppError("not_ready", { status: "database_away" }, { retryAfter: 2, cause });
  });
  return { status: "ok" };
}
