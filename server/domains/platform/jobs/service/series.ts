import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { selectRows, toSeries, toSumLines, toValueLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getJobSeries, JOB_PERIODS } from "../contract";
import { summarizeRuns } from "../statements";

export async function summarizeJobsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getJobSeries>,
): Promise<Output<typeof getJobSeries>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: JOB_PERIODS[0] });
  const rows = await summarizeRuns(ctx, { limits: range.limits, task: query.task ?? null });
  const findRows = (bucket: number) => rows.filter((row) => row.bucket === bucket);
  const current = selectRows(range, rows, "current");
  const previous = selectRows(range, rows, "previous");
  return toSeries(range, [
    ...toSumLines(range, rows, ["succeeded", "failed"]),
    toValueLine(range, (bucket) => average(findRows(bucket)), {
      key: "average_ms",
      unit: "milliseconds",
      totals: { current: average(current), previous: average(previous) },
    }),
    toValueLine(range, (bucket) => findLongest(findRows(bucket)), {
      key: "longest_ms",
      unit: "milliseconds",
      totals: { current: findLongest(current), previous: findLongest(previous) },
    }),
  ]);
}

type Row = Awaited<ReturnType<typeof summarizeRuns>>[number];

function average(rows: readonly Row[]): number | null {
  const runs = rows.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  const duration = rows.reduce((sum, { durationSum }) => sum + durationSum, 0);
  return runs > 0 ? Math.round(duration / runs) : null;
}

function findLongest(rows: readonly Row[]): number | null {
  return rows.length > 0 ? Math.max(...rows.map(({ longest }) => longest)) : null;
}
