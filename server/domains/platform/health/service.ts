import { access, constants, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { declared } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { AppError } from "@/server/core/errors";
import { DAY, fromNow, MINUTE, SECOND } from "@/server/core/time";
import type { CheckResult, getHealth } from "./contract";
import { findBacklog, ping } from "./statements";

type Check = (ctx: Context) => Promise<string>;

/** Each throws when its part does not work, else describes its state. */
const CHECKS: Record<string, Check> = {
  database: async (ctx) => {
    const startedAt = performance.now();
    await ping(ctx);
    return `${Math.round(performance.now() - startedAt)} ms`;
  },
  jobs: async (ctx) => {
    // Jobs that another release left in the queue wait for that release.
    const names = declared().flatMap(({ jobs = {} }) => Object.keys(jobs));
    const [queue] = await findBacklog(ctx, { names });
    if ((queue?.oldest ?? 0) > 300) throw new Error(`the oldest job waits for ${queue?.oldest} s`);
    return `${queue?.waiting ?? 0} waiting`;
  },
  mail: async ({ db }) => {
    const today = { gt: fromNow(-DAY) };
    const late = { ...today, lt: fromNow(-15 * MINUTE) };
    const stuck = await db.mailMessage.count({ where: { state: "queued", createdAt: late } });
    if (stuck > 0) throw new Error(`${stuck} mails wait for over 15 minutes`);
    if (!env().SMTP_URL) return "mailbox page";
    const failed = await db.mailMessage.count({ where: { state: "failed", createdAt: today } });
    return `${failed} failed today`;
  },
  storage: async () => {
    const { DATA_DIR } = env();
    await access(DATA_DIR, constants.W_OK);
    const disk = await statfs(DATA_DIR);
    const free = (disk.bavail * disk.bsize) / 1024 ** 3;
    if (free < 0.1) throw new Error(`${free.toFixed(2)} GB free`);
    return `${free.toFixed(1)} GB free`;
  },
};

/** Shorter than the patience of whoever asks, so that a check that hangs is reported as one that failed. */
const CHECK_LIMIT = 2 * SECOND;

/** Runs a check, and fails it when it takes too long. */
async function inTime(run: () => Promise<string>): Promise<string> {
  const over = new AbortController();
  const late = sleep(CHECK_LIMIT, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`no response within ${CHECK_LIMIT / SECOND} s`);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    late.catch(() => {});
    over.abort();
  }
}

/** Our own words: texts of system errors contain paths and addresses, so only their code is used. */
function reasonOf(error: unknown): string {
  const ours = error instanceof Error && error.constructor === Error && !("code" in error);
  return ours ? error.message.slice(0, 200) : "unavailable";
}

/** Runs every check. Reasons of failures stay short and name no address. */
export async function check(ctx: Context): Promise<Output<typeof getHealth>> {
  const results = await Promise.all(
    Object.entries(CHECKS).map(async ([name, run]): Promise<[string, CheckResult]> => {
      try {
        return [name, { ok: true, detail: await inTime(() => run(ctx)) }];
      } catch (error) {
        return [
          name,
          {
            ok: false,
            detail: reasonOf(error),
          },
        ];
      }
    }),
  );
  const checks = Object.fromEntries(results);
  if (results.some(([, { ok }]) => !ok))
    throw new AppError("unhealthy", { status: "failing", checks }, { retryAfter: 10 });
  return { status: "ok", checks };
}
