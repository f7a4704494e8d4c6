import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { getRegisteredDomains } from "@/server/core/domain";
import { parsePage, parseSort } from "@/server/core/list";
import { toIsoMicros } from "@/server/core/time";
import { JOBS_MAX, type listJobs, type listSchedule } from "../contract";
import { redactError } from "../dto";
import { countJobs, listJobPage, listLastRuns } from "../statements";

export async function listQueuedJobs(
  ctx: Context<UserActor>,
  { query }: Input<typeof listJobs>,
): Promise<Output<typeof listJobs>> {
  requireAdministrator(ctx.actor);
  const { range, ...page } = parsePage(query);
  const isId = /^[1-9]\d{0,14}$/.test(query.q ?? "");
  const filter = {
    id: isId ? Number(query.q) : null,
    task: isId ? null : (query.q?.toLowerCase() ?? null),
    state: query.state ?? null,
  };
  const direction = parseSort(query.sort ?? "-created_at").direction === "desc" ? -1 : 1;
  const take = Math.max(0, Math.min(range.take, JOBS_MAX - range.skip));
  const [[countRow], jobs] = await Promise.all([
    countJobs(ctx, { ...filter, max: JOBS_MAX }),
    take > 0 ? listJobPage(ctx, { ...filter, direction, skip: range.skip, take }) : [],
  ]);
  const data = jobs.map(({ max, error, runAt, createdAt, ...job }) => ({
    ...job,
    max_attempts: max,
    last_error: redactError(error),
    run_at: toIsoMicros(runAt),
    created_at: toIsoMicros(createdAt),
  }));
  return { data, meta: { ...page, total: countRow?.count ?? 0 } };
}

export async function listRecurringSchedule(ctx: Context<UserActor>): Promise<Output<typeof listSchedule>> {
  requireAdministrator(ctx.actor);
  const lastRuns = new Map((await listLastRuns(ctx)).map(({ task, at }) => [task, at]));
  const data = listRecurringJobs()
    .map(({ task, cron }) => ({ task, cron, last_run_at: toIsoMicros(lastRuns.get(task) ?? null) }))
    .toSorted((one, other) => one.task.localeCompare(other.task, "en"));
  return { success: true, data, count: data.length };
}

export function listRecurringJobs(): Array<{ task: string; cron: string }> {
  return getRegisteredDomains().flatMap(({ jobs = {} }) =>
    Object.entries(jobs).flatMap(([task, { schedule }]) => (schedule ? [{ task, cron: schedule.cron }] : [])),
  );
}
