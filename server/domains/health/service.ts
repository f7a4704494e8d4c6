import { access, constants, statfs } from "node:fs/promises";
import type { Context } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, type CheckResult } from "@/server/core/errors";
import type { getHealth } from "./contract";

type Check = (ctx: Context) => Promise<string>;

/** Each throws when its part does not work, else says how it is. */
const CHECKS: Record<string, Check> = {
  database: async ({ sql }) => {
    const startedAt = performance.now();
    await sql`select 1`;
    return `${Math.round(performance.now() - startedAt)} ms`;
  },
  jobs: async ({ sql }) => {
    const [queue] = await sql<{ waiting: number; oldest: number | null }>`
      select count(*)::int as waiting, extract(epoch from now() - min(run_at))::int as oldest
        from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`;
    if ((queue?.oldest ?? 0) > 300) throw new Error(`the oldest job waits for ${queue?.oldest} s`);
    return `${queue?.waiting ?? 0} waiting`;
  },
  mail: async ({ sql }) => {
    const [outbox] = await sql<{ failed: number; stuck: number }>`
      select count(*) filter (where state = 'failed')::int as failed,
             count(*) filter (where state = 'queued' and created_at < now() - interval '15 minutes')::int as stuck
        from mail_messages where created_at > now() - interval '1 day'`;
    if (outbox?.stuck) throw new Error(`${outbox.stuck} mails wait for over 15 minutes`);
    return env().SMTP_URL ? `${outbox?.failed ?? 0} failed today` : "mailbox page";
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

/** Our own words; errors of the system carry a code, and their texts name paths and addresses. */
function reasonOf(error: unknown): string {
  const ours = error instanceof Error && error.constructor === Error && !("code" in error);
  return ours ? error.message.slice(0, 200) : "unavailable";
}

/** Runs every check. Reasons of failures stay short and name no address. */
export async function check(ctx: Context): Promise<Answer<typeof getHealth>> {
  const results = await Promise.all(
    Object.entries(CHECKS).map(async ([name, run]): Promise<[string, CheckResult]> => {
      try {
        return [name, { ok: true, detail: await run(ctx) }];
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
