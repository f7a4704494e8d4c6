import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { DAY, fromNow } from "@/server/core/time";
import type { getJobHistory } from "../contract";
import type { HISTORY_PERIODS } from "../policy";

const PERIOD_DAYS: Record<(typeof HISTORY_PERIODS)[number], number> = {
  day: 1,
  week: 7,
  month: 30,
  quarter: 90,
};

export async function summarizeJobHistory(
  ctx: Context<UserActor>,
  { query }: Input<typeof getJobHistory>,
): Promise<Output<typeof getJobHistory>> {
  requireAdministrator(ctx.actor);
  const rows = await ctx.db.jobStat.groupBy({
    by: ["task"],
    where: { hour: { gt: fromNow(-PERIOD_DAYS[query.period ?? "day"] * DAY) } },
    _sum: { runs: true, failures: true, msSum: true },
    _max: { msMax: true },
  });
  const data = rows
    .map(({ task, _sum, _max }) => ({
      task,
      runs: _sum.runs ?? 0,
      failures: _sum.failures ?? 0,
      average_ms: Math.round(Number(_sum.msSum ?? 0) / Math.max(1, _sum.runs ?? 0)),
      longest_ms: _max.msMax ?? 0,
    }))
    .toSorted((one, other) => other.failures - one.failures || other.longest_ms - one.longest_ms);
  return { success: true, data, count: data.length };
}
