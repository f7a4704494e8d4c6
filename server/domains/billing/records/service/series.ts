import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toSeries, toSumLine } from "@/server/infrastructure/series/lines";
import { readSeriesRange, type SeriesRange } from "@/server/infrastructure/series/range";
import { type getPaymentSeries, MAX_PAYMENT_LINES, PAYMENT_PERIODS } from "../contract";
import { sumPaymentsByPlan } from "../statements";

type Line = Output<typeof getPaymentSeries>["data"]["lines"][number];
type PlanSum = Awaited<ReturnType<typeof sumPaymentsByPlan>>[number];

export async function sumPaymentsOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getPaymentSeries>,
): Promise<Output<typeof getPaymentSeries>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: PAYMENT_PERIODS[0], shortest: "day" });
  const sums = await sumPaymentsByPlan(ctx, range);
  const currencies = [...new Set(sums.map(({ currency }) => currency))];
  const lines = currencies.flatMap((currency) =>
    toPlanLines(
      range,
      sums.filter((sum) => sum.currency === currency),
      currency,
    ),
  );
  return toSeries(range, lines.toSorted(byTotal));
}

/** A line per plan, or for more plans than lines, the largest ones and the sum of the others. */
function toPlanLines(range: SeriesRange, rows: readonly PlanSum[], currency: string): Line[] {
  const toLine = (key: string, ofPlan: readonly PlanSum[]): Line => ({
    ...toSumLine(range, addByBucket(ofPlan), "amount", { key, unit: "minor" }),
    currency,
  });
  const plans = [...new Set(rows.map(({ plan }) => plan))];
  const lines = plans
    .map((key) =>
      toLine(
        key,
        rows.filter(({ plan }) => plan === key),
      ),
    )
    .toSorted(byTotal);
  if (lines.length <= MAX_PAYMENT_LINES) return lines;
  const named = lines.filter(({ key }) => key !== "other").slice(0, MAX_PAYMENT_LINES - 1);
  const names = new Set(named.map(({ key }) => key));
  return [
    ...named,
    toLine(
      "other",
      rows.filter(({ plan }) => !names.has(plan)),
    ),
  ];
}

function addByBucket(rows: readonly PlanSum[]) {
  const amounts = new Map<number, number>();
  for (const { bucket, amount } of rows) amounts.set(bucket, (amounts.get(bucket) ?? 0) + amount);
  return [...amounts].map(([bucket, amount]) => ({ bucket, amount }));
}

const byTotal = (one: Line, other: Line) =>
  (other.total ?? 0) - (one.total ?? 0) ||
  (other.previous_total ?? 0) - (one.previous_total ?? 0) ||
  one.key.localeCompare(other.key);
