import { type Context, requireAdministrator, type UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toSeries, toSumLines } from "@/server/infrastructure/series/lines";
import { readSeriesRange } from "@/server/infrastructure/series/range";
import {
  DEADLINE_PERIODS,
  type getInvoiceDeadlines,
  type getInvoiceSeries,
  INVOICE_PERIODS,
} from "../contract";
import { countInvoicesByDeadline, countInvoicesByState } from "../statements";

export async function countInvoicesOverTime(
  ctx: Context<UserActor>,
  { query }: Input<typeof getInvoiceSeries>,
): Promise<Output<typeof getInvoiceSeries>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(ctx, query, { defaultPeriod: INVOICE_PERIODS[0] });
  const rows = await countInvoicesByState(ctx, range);
  return toSeries(
    range,
    toSumLines(range, rows, ["issued", "in_progress", "needs_attention", "skipped_or_cancelled"]),
  );
}

export async function countOpenInvoicesByDeadline(
  ctx: Context<UserActor>,
  { query }: Input<typeof getInvoiceDeadlines>,
): Promise<Output<typeof getInvoiceDeadlines>> {
  requireAdministrator(ctx.actor);
  const range = await readSeriesRange(
    ctx,
    { ...query, compare: null },
    { defaultPeriod: DEADLINE_PERIODS[0], shortest: "day" },
  );
  const rows = await countInvoicesByDeadline(ctx, range);
  const overdue = rows.find(({ bucket }) => bucket === 0);
  return toSeries(range, toSumLines(range, rows, ["in_progress", "needs_attention"]), {
    overdue: overdue ? overdue.in_progress + overdue.needs_attention : 0,
  });
}
