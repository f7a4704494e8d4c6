import type * as z from "zod";
import { columnToDay, getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { parsePage } from "@/server/core/list";
import { toAmount } from "@/server/core/money";
import { toIsoMicros } from "@/server/core/time";
import { buildSearchPatterns } from "@/server/domains/accounts/users/service/search";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { EarningSum, listOpenEarnings, Payout } from "../contract";
import { listOpenSums } from "../statements";

export async function listOpenEarningsByReseller(
  ctx: Context<UserActor>,
  { query }: Input<typeof listOpenEarnings>,
): Promise<Output<typeof listOpenEarnings>> {
  requireAdministrator(ctx.actor);
  const until = query.until ?? toTurkishDay(new Date());
  const { range, ...page } = parsePage(query);
  const filter = {
    until: getEndOfDay(until, { plusDays: 0 }),
    patterns: buildSearchPatterns(query.q),
    sort: query.sort ?? "-open",
  };
  const resellers = await listOpenSums(ctx, { ...filter, ...range });
  const isPastLastPage = resellers.length === 0 && range.skip > 0;
  // Every row has the total; a page without rows needs another one.
  const [rowWithTotal] = isPastLastPage
    ? await listOpenSums(ctx, { ...filter, take: 1, skip: 0 })
    : resellers;
  const data = resellers.map(({ openMinor, paidMinor, lastPaidAt, rowCount: _, ...row }) => ({
    ...row,
    open: toAmount(openMinor),
    paid: toAmount(paidMinor),
    last_paid_at: lastPaidAt && columnToDay(lastPaidAt),
  }));
  return { success: true, until, data, meta: { ...page, total: rowWithTotal?.rowCount ?? 0 } };
}

export const PAYOUT_SELECT = {
  id: true,
  amountMinor: true,
  currency: true,
  until: true,
  paidAt: true,
  reference: true,
  note: true,
  createdAt: true,
} as const satisfies Prisma.ReferralPayoutSelect;

export function toPayout(
  row: Prisma.ReferralPayoutGetPayload<{ select: typeof PAYOUT_SELECT }>,
): z.output<typeof Payout> {
  return {
    id: row.id,
    amount: toAmount(row.amountMinor),
    currency: row.currency,
    until: columnToDay(row.until),
    paid_at: columnToDay(row.paidAt),
    reference: row.reference,
    note: row.note,
    created_at: toIsoMicros(row.createdAt),
  };
}

const PAYOUTS_MAX = 200;

/** Lists the latest 200 pay-outs of a reseller, with the paid and open sums by currency. */
export async function listPayouts(tx: Pick<DbAccess, "db">, resellerId: number) {
  const rows = await tx.db.referralPayout.findMany({
    where: { resellerId },
    orderBy: { id: "desc" },
    take: PAYOUTS_MAX,
    select: PAYOUT_SELECT,
  });
  return { payouts: rows.map(toPayout), sums: await sumEarnings(tx, resellerId) };
}

/** Returns the paid and open sums of a reseller by currency. */
export async function sumEarnings(
  { db }: Pick<DbAccess, "db">,
  resellerId: number,
): Promise<z.output<typeof EarningSum>[]> {
  const resellerFilter = { resellerId };
  const sumArgs = { by: ["currency"], _sum: { amountMinor: true } } as const;
  const [payoutSums, earningSums, deductionSums] = [
    await db.referralPayout.groupBy({ ...sumArgs, by: ["currency"], where: resellerFilter }),
    await db.referralEarning.groupBy({
      ...sumArgs,
      by: ["currency"],
      where: { ...resellerFilter, ...OPEN_EARNINGS_FILTER },
    }),
    await db.referralEarning.groupBy({
      ...sumArgs,
      by: ["currency"],
      where: { ...resellerFilter, ...DEDUCTIBLE_EARNINGS_FILTER },
    }),
  ];
  const getSumMinor = (sums: typeof payoutSums | typeof earningSums, currency: string) =>
    sums.find((each) => each.currency === currency)?._sum.amountMinor ?? 0;
  const currencies = new Set(
    [...payoutSums, ...earningSums, ...deductionSums].map(({ currency }) => currency),
  );
  return [...currencies].map((currency) => ({
    currency,
    paid: toAmount(getSumMinor(payoutSums, currency)),
    open: toAmount(getSumMinor(earningSums, currency) - getSumMinor(deductionSums, currency)),
  }));
}

/* statements.ts repeats both conditions in SQL. */

export const OPEN_EARNINGS_FILTER = {
  state: "earned",
  payoutId: null,
} as const satisfies Prisma.ReferralEarningWhereInput;
/** Paid-out earnings, reversed since, that the next pay-out deducts. */
export const DEDUCTIBLE_EARNINGS_FILTER = {
  state: "void",
  payoutId: { not: null },
  deductedId: null,
} as const satisfies Prisma.ReferralEarningWhereInput;
