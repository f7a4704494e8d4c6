import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { selectRows, toSeries, toSumLines, toValueLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import { type getRequestSeries, REQUEST_PERIODS } from "../contract";
import { sumRequests } from "../statements";
import { estimateQuantileMs } from "./quantile";

type Row = Awaited<ReturnType<typeof sumRequests>>[number];

export async function countRequestsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getRequestSeries>,
): Promise<Output<typeof getRequestSeries>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: REQUEST_PERIODS[0] });
  const rows = await sumRequests(ctx, range);
  const findRows = (bucket: number) => rows.filter((row) => row.bucket === bucket);
  return toSeries(range, [
    ...toSumLines(range, rows, ["succeeded", "rejected", "throttled", "failed"]),
    toValueLine(range, (bucket) => estimateP95(findRows(bucket)), {
      key: "p95_ms",
      unit: "milliseconds",
      totals: {
        current: estimateP95(selectRows(range, rows, "current")),
        previous: estimateP95(selectRows(range, rows, "previous")),
      },
    }),
  ]);
}

function estimateP95(rows: readonly Row[]): number | null {
  const counts: number[] = [];
  for (const { durations } of rows)
    for (const [index, count] of durations.entries()) counts[index] = (counts[index] ?? 0) + count;
  return estimateQuantileMs(0.95, counts);
}
