import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError, invalidField } from "@/server/core/errors";
import { foldText } from "@/server/core/fold";
import { formatMoney } from "@/server/core/money";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { toPaymentRow } from "@/server/domains/billing/records/service/rows";
import { lockSlots } from "@/server/domains/sites/slots/service";
import { reopenLicence, reopenLicencesAbsorbedBy } from "@/server/domains/sites/slots/service/licences";
import {
  type AffectedSite,
  type ReleasedSites,
  releaseSubscriptionSites,
  restoreSitesIntoFreeSlots,
} from "@/server/domains/sites/slots/service/release";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { REVERSE_WORDS, type reversePayment } from "../contract";
import { lockPayer } from "../statements";
import { voidEarning } from "./earnings";
import { getCustomerLocale, getPayment, mailCustomer } from "./record-payment";
import { RUNNING_STATES, reopenRenewedSubscription } from "./renewals";

const REVERSE_CONFIRMATIONS = new Set(Object.values(REVERSE_WORDS).map(foldConfirmation));

/** Reverses a payment and ends what it paid for. Locks in the same order as an activation. */
export async function reverseRecordedPayment(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof reversePayment>,
): Promise<Output<typeof reversePayment>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const storedPayment = await ctx.db.payment.findUnique({ where: { id }, select: { userId: true } });
  if (!storedPayment) throw createNotFoundError("Payment", id);
  if (!REVERSE_CONFIRMATIONS.has(foldConfirmation(body.confirmation)))
    throw invalidField("confirmation", "reverse_word");
  return withTransaction(ctx, async (tx) => {
    await lockCallerAndAccount(tx, storedPayment.userId);
    const [customer] = await lockPayer(tx, storedPayment);
    await lockSlots(tx, storedPayment.userId);
    const [reversedPayment] = await tx.db.payment.updateManyAndReturn({
      where: { id, state: "recorded" },
      data: {
        state: "reversed",
        reversedById: ctx.actor.id,
        reversedAt: new Date(),
        reverseReason: body.reason,
      },
      select: { subscriptionId: true, licenceId: true },
    });
    if (!reversedPayment) throw createError("payment_reversed");
    const { moved, suspended } = await endPaidItem(tx, { ...reversedPayment, userId: storedPayment.userId });
    await voidEarning(tx, id);
    await cancelDocument(tx, id);
    await audit(tx, {
      action: "payment.reversed",
      object: { type: "Payment", id },
      details: { user: storedPayment.userId, suspended: suspended.length },
    });
    const payment = await getPayment(tx, id);
    if (customer && !customer.isErased)
      await mailCustomer(tx, customer, {
        template: "payment_reversed",
        path: "/sites",
        params: {
          amount: formatMoney(payment.amountMinor, {
            currency: payment.currency,
            locale: getCustomerLocale(customer),
          }),
          suspended: suspended.length,
        },
      });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.payment_reversed"),
      payment: toPaymentRow(payment),
      moved_sites: moved.map(toSiteLine),
      suspended_sites: suspended.map(toSiteLine),
    };
  });
}

/** Cancels an unsent invoice immediately; a job withdraws any other. */
async function cancelDocument({ db }: Context, paymentId: number): Promise<void> {
  const clearedFields = { step: null, nextAt: null, problem: null, problemText: null, attempts: 0 };
  const { count } = await db.accountingDocument.updateMany({
    where: {
      paymentId,
      state: { in: ["queued", "needs_data", "failed"] },
      issueDate: null,
      OR: [{ lockedUntil: null }, { lockedUntil: { lt: new Date() } }],
    },
    data: { ...clearedFields, state: "cancelled" },
  });
  if (count > 0) return;
  await db.accountingDocument.updateMany({
    where: { paymentId, state: { notIn: ["skipped", "cancelled", "cancelling"] } },
    data: { ...clearedFields, state: "cancelling" },
  });
}

async function endPaidItem(
  tx: Context,
  {
    subscriptionId,
    licenceId,
    userId,
  }: { subscriptionId: number | null; licenceId: number | null; userId: number },
): Promise<ReleasedSites> {
  if (licenceId !== null) await reopenLicence(tx, licenceId);
  if (subscriptionId === null) return { moved: [], suspended: [] };
  // A renewal needs every subscription before it to be paid.
  if (await hasRunningRenewal(tx, subscriptionId)) throw createError("payment_renewed");
  const { renewsId } = await tx.db.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { renewsId: true },
  });
  const { count } = await tx.db.subscription.updateMany({
    where: { id: subscriptionId, status: { in: RUNNING_STATES } },
    data: { status: "cancelled", closedReason: "reversed", renewsId: null },
  });
  if (count === 0) {
    // It has ended: mark it as reversed, or a later reversal of its renewal would reopen it.
    await tx.db.subscription.updateMany({
      where: { id: subscriptionId, closedReason: "renewed" },
      data: { closedReason: "reversed", renewsId: null },
    });
    return { moved: [], suspended: [] };
  }
  const isReopened = renewsId !== null && (await reopenRenewedSubscription(tx, renewsId));
  // Lock order: licences before sites. Reopened licences keep their sites active.
  await reopenLicencesAbsorbedBy(tx, subscriptionId);
  const { moved, suspended } = await releaseSubscriptionSites(tx, { subscriptionId, userId });
  // Restores sites for which the reversed renewal had no slot.
  const restoredSites = isReopened
    ? await restoreSitesIntoFreeSlots(tx, { userId, subscriptionId: renewsId })
    : [];
  return { moved: [...moved, ...restoredSites], suspended };
}

async function hasRunningRenewal({ db }: Pick<Context, "db">, id: number): Promise<boolean> {
  const renewal = await db.subscription.findUnique({
    where: { renewsId: id },
    select: { id: true, status: true, closedReason: true },
  });
  if (!renewal) return false;
  return (
    RUNNING_STATES.includes(renewal.status) ||
    (renewal.closedReason === "renewed" && hasRunningRenewal({ db }, renewal.id))
  );
}

function foldConfirmation(word: string): string {
  return foldText(word.trim().replace(/\s+/g, " "));
}

function toSiteLine({ id, name, domain, isActive }: AffectedSite) {
  return { id, name, domain, is_active: isActive };
}
