import { columnToDay } from "@/server/core/calendar";
import { toAmount } from "@/server/core/money";
import { toIsoMicros } from "@/server/core/time";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";

const EARNINGS_MAX = 500;

interface EarningInput {
  userId: number;
  paymentId: number;
  netMinor: number;
  currency: string;
}

/** Records a share of the net amount, rounded down, if the reseller has joined the programme. */
export async function recordEarning(
  { db }: Pick<DbAccess, "db">,
  { userId, paymentId, netMinor, currency }: EarningInput,
): Promise<void> {
  const ratePercent = await getSetting({ db }, "referral_rate");
  const amountMinor = Math.floor((netMinor * ratePercent) / 100);
  if (amountMinor <= 0) return;
  const reseller = await db.reseller.findFirst({
    where: {
      joinedAt: { not: null },
      user: { role: "reseller", isActive: true, customers: { some: { id: userId } } },
    },
    select: { userId: true },
  });
  if (!reseller) return;
  const earning = { resellerId: reseller.userId, paymentId, amountMinor, currency, ratePercent };
  await db.referralEarning.create({ data: earning, select: { id: true } });
}

export async function voidEarning({ db }: Pick<DbAccess, "db">, paymentId: number): Promise<void> {
  await db.referralEarning.updateMany({ where: { paymentId, state: "earned" }, data: { state: "void" } });
}

/** Lists the latest 500 earnings of a reseller, without customer names. */
export async function listEarnings({ db }: Pick<DbAccess, "db">, resellerId: number) {
  const rows = await db.referralEarning.findMany({
    where: { resellerId },
    orderBy: { id: "desc" },
    take: EARNINGS_MAX,
    select: {
      id: true,
      amountMinor: true,
      ratePercent: true,
      state: true,
      createdAt: true,
      currency: true,
      payoutId: true,
      payment: { select: { paidAt: true } },
    },
  });
  return rows.map(({ id, amountMinor, ratePercent, state, createdAt, currency, payoutId, payment }) => ({
    id,
    amount: toAmount(amountMinor),
    currency,
    rate_percent: ratePercent,
    state,
    paid_out: payoutId !== null,
    paid_at: columnToDay(payment.paidAt),
    created_at: toIsoMicros(createdAt),
  }));
}
