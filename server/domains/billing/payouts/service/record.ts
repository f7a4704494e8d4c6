import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError } from "@/server/core/errors";
import { getDateFormat } from "@/server/core/format";
import { formatMoney } from "@/server/core/money";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { resolvePaymentDay } from "@/server/domains/billing/payments/service/record-payment";
import type { recordPayout } from "../contract";
import { DEDUCTIBLE_EARNINGS_FILTER, OPEN_EARNINGS_FILTER, PAYOUT_SELECT, toPayout } from "./list";

const PAYOUT_CURRENCY = "TRY";

/** Marks all open earnings up to a day as paid out. Throws `payout_changed` if `amount` is not their sum. */
export async function recordResellerPayout(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof recordPayout>,
): Promise<Output<typeof recordPayout>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const today = toTurkishDay(new Date());
  const until = body.until && body.until < today ? body.until : today;
  const paidDay = resolvePaymentDay(body);
  const reseller = await ctx.db.user.findUnique({ where: { id }, select: { id: true } });
  if (!reseller) throw createNotFoundError("User", id);
  return withIdempotency(ctx, async (tx) => {
    // Serialises pay-outs of one reseller.
    await lockCallerAndAccount(tx, id);
    const payout = await tx.db.referralPayout.create({
      data: {
        resellerId: id,
        amountMinor: body.amount,
        currency: PAYOUT_CURRENCY,
        until: new Date(until),
        paidAt: new Date(paidDay),
        reference: body.reference,
        note: body.note,
        recordedById: tx.actor.id,
      },
      select: PAYOUT_SELECT,
    });
    const openMinor = await assignEarnings(tx, {
      resellerId: id,
      payoutId: payout.id,
      until: getEndOfDay(until, { plusDays: 0 }),
    });
    if (openMinor !== body.amount)
      throw createError("payout_changed", {
        params: {
          open: formatMoney(openMinor, { currency: PAYOUT_CURRENCY, locale: ctx.locale }),
        },
      });
    await audit(tx, {
      action: "payout.recorded",
      object: { type: "User", id },
      details: { payout: payout.id, amount: body.amount, reference: body.reference ?? null },
    });
    const { anonymisedAt, role } = await tx.db.user.findUniqueOrThrow({
      where: { id },
      select: { anonymisedAt: true, role: true },
    });
    if (!anonymisedAt)
      await notifyOwner(tx, id, "payout_recorded", {
        path: role === "reseller" ? "/reseller/referral" : "/dashboard",
        params: ({ locale }) => ({
          amount: formatMoney(body.amount, { currency: PAYOUT_CURRENCY, locale }),
          day: getDateFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(paidDay)),
          known: body.reference ? "yes" : "none",
          reference: body.reference ?? "",
        }),
      });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.payout_recorded"),
      payout: toPayout(payout),
    };
  });
}

/** Returns the sum of earnings and deductions, in minor units. */
async function assignEarnings(
  { db }: Pick<Context, "db">,
  { resellerId, payoutId, until }: { resellerId: number; payoutId: number; until: Date },
): Promise<number> {
  const resellerFilter = { resellerId, currency: PAYOUT_CURRENCY };
  const select = { amountMinor: true } as const;
  const paidEarnings = await db.referralEarning.updateManyAndReturn({
    where: { ...resellerFilter, ...OPEN_EARNINGS_FILTER, createdAt: { lte: until } },
    data: { payoutId },
    select,
  });
  const deductedEarnings = await db.referralEarning.updateManyAndReturn({
    where: { ...resellerFilter, ...DEDUCTIBLE_EARNINGS_FILTER },
    data: { deductedId: payoutId },
    select,
  });
  const sumMinor = (rows: Array<{ amountMinor: number }>) =>
    rows.reduce((total, row) => total + row.amountMinor, 0);
  return sumMinor(paidEarnings) - sumMinor(deductedEarnings);
}
