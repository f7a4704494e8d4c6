import { dayIn } from "@/server/core/calendar";
import { amountOf } from "@/server/core/money";
import { isoMicros } from "@/server/core/time";
import type { Work } from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";

/** The most earnings that are listed. */
const LISTED = 500;

/** A payment that somebody may earn by. */
interface Earned {
  userId: number;
  paymentId: number;
  netMinor: number;
  currency: string;
}

/**
 * Writes what the reseller of a customer earns by a payment, in its transaction: a share of the amount without VAT, cut to
 * whole minor units, for whoever takes part in the referral programme.
 */
export async function earn(
  { db }: Pick<Work, "db">,
  { userId, paymentId, netMinor, currency }: Earned,
): Promise<void> {
  const rate = await setting({ db }, "referral_rate");
  const amountMinor = Math.floor((netMinor * rate) / 100);
  if (amountMinor <= 0) return;
  const reseller = await db.reseller.findFirst({
    where: {
      joinedAt: { not: null },
      user: { role: "reseller", isActive: true, customers: { some: { id: userId } } },
    },
    select: { userId: true },
  });
  if (!reseller) return;
  const earning = { resellerId: reseller.userId, paymentId, amountMinor, currency, ratePercent: rate };
  await db.referralEarning.create({ data: earning, select: { id: true } });
}

/** Takes back what a reseller earned by a payment, in the transaction that reverses it. */
export async function voidEarning({ db }: Pick<Work, "db">, paymentId: number): Promise<void> {
  await db.referralEarning.updateMany({ where: { paymentId, state: "earned" }, data: { state: "void" } });
}

/** What a reseller has earned, newest first. Customers are not named. */
export async function earningsOf({ db }: Pick<Work, "db">, resellerId: number) {
  const rows = await db.referralEarning.findMany({
    where: { resellerId },
    orderBy: { id: "desc" },
    take: LISTED,
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
    amount: amountOf(amountMinor),
    currency,
    rate_percent: ratePercent,
    state,
    paid_out: payoutId !== null,
    paid_at: dayIn(payment.paidAt),
    created_at: isoMicros(createdAt),
  }));
}
