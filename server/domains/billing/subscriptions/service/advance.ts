import { createSystemContext } from "@/server/core/context";
import { formatMoney, toMinor } from "@/server/core/money";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { formatBankTransferText } from "@/server/domains/platform/settings/service";
import {
  BILLING_PATH,
  getPaymentPath,
  RENEWAL_NOTICE_DAYS,
  SUBSCRIPTION_GRACE_DAYS,
} from "@/server/domains/sites/slots/contract";
import { lockSlots } from "@/server/domains/sites/slots/service";
import {
  countDaysUntil,
  listNoticeDays,
  pickDueNoticeDay,
} from "@/server/domains/sites/slots/service/notices";
import { releaseSubscriptionSites } from "@/server/domains/sites/slots/service/release";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { getCheckoutPath } from "../policy";
import { type DueAccount, endPeriods, expireSubscriptions, lapseOrders, recordNotice } from "../statements";

/** Closes due orders and subscriptions of an account. The caller must hold the lock of its row. */
export async function advanceAccountSubscriptions(
  tx: DbAccess,
  { userId, hasLapsedOrders, hasEndedPeriods, hasEndedGrace }: DueAccount,
): Promise<void> {
  await lockSlots(tx, userId);
  const auditChange = (
    action: "order.lapsed" | "subscription.past_due" | "subscription.expired",
    id: number,
    details?: Record<string, number>,
  ) => audit(createSystemContext(tx), { action, object: { type: "Subscription", id }, details });
  for (const { id, plan, reference } of hasLapsedOrders ? await lapseOrders(tx, { userId }) : []) {
    await auditChange("order.lapsed", id);
    await notifyOwner(createSystemContext(tx), userId, "order_lapsed", {
      path: BILLING_PATH,
      params: { plan, reference },
    });
  }
  const endedSubscriptions = hasEndedPeriods ? await endPeriods(tx, { userId }) : [];
  for (const { id } of endedSubscriptions) await auditChange("subscription.past_due", id);
  // Expire all before releasing sites: a site must not move to a subscription that expires in the same run.
  const expiredSubscriptions = hasEndedGrace ? await expireSubscriptions(tx, { userId }) : [];
  for (const { id } of endedSubscriptions)
    if (!expiredSubscriptions.some((other) => other.id === id))
      await sendNoticeOnce(tx, id, "past_due", "past_due");
  for (const { id } of expiredSubscriptions) {
    const { moved, suspended } = await releaseSubscriptionSites(createSystemContext(tx), {
      subscriptionId: id,
      userId,
    });
    const siteCounts = { moved: moved.length, suspended: suspended.length };
    await auditChange("subscription.expired", id, siteCounts);
    const {
      planName: plan,
      isTrial,
      endsAt,
    } = await tx.db.subscription.findUniqueOrThrow({
      where: { id },
      select: { planName: true, isTrial: true, endsAt: true },
    });
    const data = { id, plan, is_trial: isTrial, user_id: userId, ends_at: toIsoMicros(endsAt) };
    await emitWebhookEvent(tx, { type: "subscription.expired", ownerId: userId, data });
    await sendNoticeOnce(tx, id, "expired", "expired", siteCounts);
  }
}

export async function remindOfEndingSubscriptions(): Promise<void> {
  const endingSubscriptions = await withoutTransaction().db.subscription.findMany({
    // One day more than the earliest reminder.
    where: {
      status: "active",
      endsAt: { gt: new Date(), lt: fromNow((Math.max(...RENEWAL_NOTICE_DAYS) + 1) * DAY) },
    },
    orderBy: { id: "asc" },
    select: { id: true, startsAt: true, endsAt: true, notices: { select: { kind: true } } },
  });
  for (const { id, startsAt, endsAt, notices } of endingSubscriptions) {
    const noticeDays = listNoticeDays({ periodMs: endsAt.getTime() - startsAt.getTime() });
    const reminderDays = pickDueNoticeDay(countDaysUntil(endsAt), noticeDays);
    if (reminderDays === undefined || notices.some(({ kind }) => kind === `ends_${reminderDays}`)) continue;
    await inTransaction(async (tx) => {
      // It may have been renewed since the query.
      const activeCount = await tx.db.subscription.count({ where: { id, status: "active" } });
      if (activeCount > 0) await sendNoticeOnce(tx, id, `ends_${reminderDays}`, "ends");
    });
  }
}

/** Sends a notice once: with the current renewal price and the bank details, or after a trial with the way to a plan. */
async function sendNoticeOnce(
  tx: DbAccess,
  id: number,
  kind: string,
  event: "ends" | "past_due" | "expired",
  siteCounts: Record<string, number> = {},
): Promise<void> {
  const [notice] = await recordNotice(tx, { id, kind });
  if (!notice) return;
  const { userId, plan, endsAt, reference, price, currency, isTrial, planId, isPlanOffered } = notice;
  const bank = await getSetting(tx, "bank");
  await notifyOwner(createSystemContext(tx), userId, `${isTrial ? "trial" : "subscription"}_${event}`, {
    // Only a running plan can be renewed.
    path:
      isTrial || event === "expired"
        ? getCheckoutPath(isPlanOffered ? planId : null)
        : getPaymentPath(reference),
    params: ({ locale, formatDay }) => ({
      ...siteCounts,
      plan,
      ends: formatDay(endsAt),
      until: formatDay(new Date(endsAt.getTime() + SUBSCRIPTION_GRACE_DAYS * DAY)),
      amount: formatMoney(toMinor(price), { currency, locale }),
      transfer: formatBankTransferText(locale, bank, reference),
    }),
  });
}
