import type * as z from "zod";
import { dayOf, dayOfColumn, endOfDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { pageOf } from "@/server/core/list";
import { amountOf } from "@/server/core/money";
import { isoMicros } from "@/server/core/time";
import { searchPatterns } from "@/server/domains/accounts/users/service/search";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { listOpenEarnings, Payout } from "../contract";
import { listOpenSums } from "../statements";

export async function listOpenByReseller(
  ctx: Context<UserActor>,
  { query }: Input<typeof listOpenEarnings>,
): Promise<Output<typeof listOpenEarnings>> {
  requireAdministrator(ctx.actor);
  const until = query.until ?? dayOf(new Date());
  const { rows, ...page } = pageOf(query);
  const resellers = await listOpenSums(ctx, {
    until: endOfDay(until, { plus: 0 }),
    patterns: searchPatterns(query.q),
    sort: query.sort ?? "-open",
    ...rows,
  });
  const data = resellers.map(({ openMinor, paidMinor, lastPaidAt, total: _, ...row }) => ({
    ...row,
    open: amountOf(openMinor),
    paid: amountOf(paidMinor),
    last_paid_at: lastPaidAt && dayOfColumn(lastPaidAt),
  }));
  return { success: true, until, data, meta: { ...page, total: resellers[0]?.total ?? 0 } };
}

export const PAYOUT = {
  id: true,
  amountMinor: true,
  currency: true,
  until: true,
  paidAt: true,
  reference: true,
  note: true,
  createdAt: true,
} as const satisfies Prisma.ReferralPayoutSelect;

export function payoutOf(
  row: Prisma.ReferralPayoutGetPayload<{ select: typeof PAYOUT }>,
): z.output<typeof Payout> {
  return {
    id: row.id,
    amount: amountOf(row.amountMinor),
    currency: row.currency,
    until: dayOfColumn(row.until),
    paid_at: dayOfColumn(row.paidAt),
    reference: row.reference,
    note: row.note,
    created_at: isoMicros(row.createdAt),
  };
}

const LIST_MAX = 200;

/** Lists the latest 200 pay-outs of a reseller, with the paid and open sums by currency. */
export async function payoutsOf({ db }: Pick<DbAccess, "db">, resellerId: number) {
  const ofReseller = { resellerId };
  const sums = { by: ["currency"], _sum: { amountMinor: true } } as const;
  const [rows, paid, earned, deductions] = [
    await db.referralPayout.findMany({
      where: ofReseller,
      orderBy: { id: "desc" },
      take: LIST_MAX,
      select: PAYOUT,
    }),
    await db.referralPayout.groupBy({ ...sums, by: ["currency"], where: ofReseller }),
    await db.referralEarning.groupBy({
      ...sums,
      by: ["currency"],
      where: { ...ofReseller, ...OPEN_EARNINGS },
    }),
    await db.referralEarning.groupBy({
      ...sums,
      by: ["currency"],
      where: { ...ofReseller, ...DEDUCTIBLE_EARNINGS },
    }),
  ];
  const minorOf = (rows: typeof paid | typeof earned, currency: string) =>
    rows.find((each) => each.currency === currency)?._sum.amountMinor ?? 0;
  const currencies = new Set([...paid, ...earned, ...deductions].map(({ currency }) => currency));
  return {
    payouts: rows.map(payoutOf),
    sums: [...currencies].map((currency) => ({
      currency,
      paid: amountOf(minorOf(paid, currency)),
      open: amountOf(minorOf(earned, currency) - minorOf(deductions, currency)),
    })),
  };
}

/** Earnings that the next pay-out includes, and reversed ones that it deducts. */
export const OPEN_EARNINGS = {
  state: "earned",
  payoutId: null,
} as const satisfies Prisma.ReferralEarningWhereInput;
export const DEDUCTIBLE_EARNINGS = {
  state: "void",
  payoutId: { not: null },
  deductedId: null,
} as const satisfies Prisma.ReferralEarningWhereInput;
