import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, outOfReach, refuse } from "@/server/core/errors";
import { fold } from "@/server/core/fold";
import { formatMoney } from "@/server/core/money";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockOwnAccountAnd } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { paymentRow } from "@/server/domains/billing/records/service/rows";
import { lockSlots } from "@/server/domains/sites/slots/service";
import { reopenAbsorbedBy, reopenLicence } from "@/server/domains/sites/slots/service/licences";
import {
  type Released,
  releaseSites,
  restoreSites,
  type TouchedSite,
} from "@/server/domains/sites/slots/service/release";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { REVERSE_WORDS, type reversePayment } from "../contract";
import { lockCustomer } from "../statements";
import { voidEarning } from "./earnings";
import { languageOf, mailCustomer, paymentOf } from "./record";
import { RUNNING, reopenRenewed } from "./subscription";

const ACCEPTED = new Set(Object.values(REVERSE_WORDS).map(folded));

/** Takes a payment back, with what it paid for. The same locks as an activation, in the same order. */
export async function reverse(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof reversePayment>,
): Promise<Output<typeof reversePayment>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const known = await ctx.db.payment.findUnique({ where: { id }, select: { userId: true } });
  if (!known) throw outOfReach(undefined, "Payment", id);
  if (!ACCEPTED.has(folded(body.confirmation))) throw invalid("confirmation", "reverse_word");
  return withTransaction(ctx, async (tx) => {
    await lockOwnAccountAnd(tx, known.userId);
    const [customer] = await lockCustomer(tx, known);
    await lockSlots(tx, known.userId);
    const [reversed] = await tx.db.payment.updateManyAndReturn({
      where: { id, state: "recorded" },
      data: {
        state: "reversed",
        reversedById: ctx.actor.id,
        reversedAt: new Date(),
        reverseReason: body.reason,
      },
      select: { subscriptionId: true, licenceId: true },
    });
    if (!reversed) throw refuse("payment_reversed");
    const { moved, suspended } = await takeBack(tx, { ...reversed, userId: known.userId });
    await voidEarning(tx, id);
    await cancelDocument(tx, id);
    await audit(tx, {
      action: "payment.reversed",
      object: { type: "Payment", id },
      details: { user: known.userId, suspended: suspended.length },
    });
    const payment = await paymentOf(tx, id);
    if (customer && !customer.isGone)
      await mailCustomer(tx, customer, {
        template: "payment_reversed",
        path: "/sites",
        params: {
          amount: formatMoney(payment.amountMinor, {
            currency: payment.currency,
            locale: languageOf(customer),
          }),
          suspended: suspended.length,
        },
      });
    return {
      success: true as const,
      message: text(ctx.locale, "responses.payment_reversed"),
      payment: paymentRow(payment),
      moved_sites: moved.map(siteLine),
      suspended_sites: suspended.map(siteLine),
    };
  });
}

/** An invoice of which nothing was sent is over at once; what exists of any other is taken back by a job. */
async function cancelDocument({ db }: Context, paymentId: number): Promise<void> {
  const over = { step: null, nextAt: null, problem: null, problemText: null, attempts: 0 };
  const { count } = await db.accountingDocument.updateMany({
    where: {
      paymentId,
      state: { in: ["queued", "needs_data", "failed"] },
      issueDate: null,
      OR: [{ lockedUntil: null }, { lockedUntil: { lt: new Date() } }],
    },
    data: { ...over, state: "cancelled" },
  });
  if (count > 0) return;
  await db.accountingDocument.updateMany({
    where: { paymentId, state: { notIn: ["skipped", "cancelled", "cancelling"] } },
    data: { ...over, state: "cancelling" },
  });
}

/** Ends what a payment was for. */
async function takeBack(
  tx: Context,
  {
    subscriptionId,
    licenceId,
    userId,
  }: { subscriptionId: number | null; licenceId: number | null; userId: number },
): Promise<Released> {
  if (licenceId !== null) await reopenLicence(tx, licenceId);
  if (subscriptionId === null) return { moved: [], suspended: [] };
  // What continues it runs as long as all of them were paid for.
  if (await isContinued(tx, subscriptionId)) throw refuse("payment_renewed");
  const { renewsId } = await tx.db.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    select: { renewsId: true },
  });
  const { count } = await tx.db.subscription.updateMany({
    where: { id: subscriptionId, status: { in: RUNNING } },
    data: { status: "cancelled", closedReason: "reversed", renewsId: null },
  });
  if (count === 0) {
    // Over already: nothing that is taken back later may bring it to life again.
    await tx.db.subscription.updateMany({
      where: { id: subscriptionId, closedReason: "renewed" },
      data: { closedReason: "reversed", renewsId: null },
    });
    return { moved: [], suspended: [] };
  }
  const reopened = renewsId !== null && (await reopenRenewed(tx, renewsId));
  // Before their sites, as everywhere; those go on by them.
  await reopenAbsorbedBy(tx, subscriptionId);
  const { moved, suspended } = await releaseSites(tx, { subscriptionId, userId });
  // What the smaller of the two had no slot for.
  const restored = reopened ? await restoreSites(tx, { userId, subscriptionId: renewsId }) : [];
  return { moved: [...moved, ...restored], suspended };
}

/** Whether the last of those that renewed a subscription, one after the other, runs. */
async function isContinued({ db }: Pick<Context, "db">, id: number): Promise<boolean> {
  const next = await db.subscription.findUnique({
    where: { renewsId: id },
    select: { id: true, status: true, closedReason: true },
  });
  if (!next) return false;
  return RUNNING.includes(next.status) || (next.closedReason === "renewed" && isContinued({ db }, next.id));
}

/** The Turkish letters i, and marks, do not count; spaces do once. */
function folded(word: string): string {
  return fold(word.trim().replace(/\s+/g, " "));
}

function siteLine({ id, name, domain, isActive }: TouchedSite) {
  return { id, name, domain, is_active: isActive };
}
