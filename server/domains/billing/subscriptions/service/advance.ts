import { systemContext } from "@/server/core/context";
import { formatMoney, toMinor } from "@/server/core/money";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import { transferText } from "@/server/domains/platform/settings/service";
import { GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { lockSlots } from "@/server/domains/sites/slots/service";
import { BILLING_PAGE, daysUntil, dueNotice } from "@/server/domains/sites/slots/service/notices";
import { releaseSites } from "@/server/domains/sites/slots/service/release";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";
import { type DueAccount, endPeriods, expireSubscriptions, lapseOrders, recordNotice } from "../statements";

/** Closes due orders and subscriptions of an account. The caller must hold the lock of its row. */
export async function advance(tx: DbAccess, { userId, orders, periods, grace }: DueAccount): Promise<void> {
  await lockSlots(tx, userId);
  const auditChange = (
    action: "order.lapsed" | "subscription.past_due" | "subscription.expired",
    id: number,
    details?: Record<string, number>,
  ) => audit(systemContext(tx), { action, object: { type: "Subscription", id }, details });
  for (const { id, plan, reference } of orders ? await lapseOrders(tx, { userId }) : []) {
    await auditChange("order.lapsed", id);
    await notifyOwner(systemContext(tx), userId, "order_lapsed", {
      path: BILLING_PAGE,
      params: { plan, reference },
    });
  }
  const ended = periods ? await endPeriods(tx, { userId }) : [];
  for (const { id } of ended) await auditChange("subscription.past_due", id);
  // Expire all before releasing sites: a site must not move to a subscription that expires in the same run.
  const expired = grace ? await expireSubscriptions(tx, { userId }) : [];
  for (const { id } of ended)
    if (!expired.some((other) => other.id === id))
      await sendNotice(tx, id, "past_due", "subscription_past_due");
  for (const { id } of expired) {
    const { moved, suspended } = await releaseSites(systemContext(tx), { subscriptionId: id, userId });
    const sites = { moved: moved.length, suspended: suspended.length };
    await auditChange("subscription.expired", id, sites);
    const { planName: plan, endsAt } = await tx.db.subscription.findUniqueOrThrow({
      where: { id },
      select: { planName: true, endsAt: true },
    });
    const data = { id, plan, user_id: userId, ends_at: isoMicros(endsAt) };
    await emit(tx, { type: "subscription.expired", ownerId: userId, data });
    await sendNotice(tx, id, "expired", "subscription_expired", sites);
  }
}

const REMINDERS = [30, 7, 1] as const;

export async function remindOfSubscriptions(): Promise<void> {
  const ending = await withoutTransaction().db.subscription.findMany({
    where: { status: "active", endsAt: { gt: new Date(), lt: fromNow(31 * DAY) } },
    orderBy: { id: "asc" },
    select: { id: true, endsAt: true, notices: { select: { kind: true } } },
  });
  for (const { id, endsAt, notices } of ending) {
    const days = dueNotice(daysUntil(endsAt), REMINDERS);
    if (days === undefined || notices.some(({ kind }) => kind === `ends_${days}`)) continue;
    await inTransaction(async (tx) => {
      // It may have been renewed since the query.
      const active = await tx.db.subscription.count({ where: { id, status: "active" } });
      if (active > 0) await sendNotice(tx, id, `ends_${days}`, "subscription_ends");
    });
  }
}

/** Sends a notice once, with the current renewal price and the bank details. */
async function sendNotice(
  tx: DbAccess,
  id: number,
  kind: string,
  template: "subscription_ends" | "subscription_past_due" | "subscription_expired",
  sites: Record<string, number> = {},
): Promise<void> {
  const [notice] = await recordNotice(tx, { id, kind });
  if (!notice) return;
  const { userId, plan, endsAt, reference, price, currency } = notice;
  const bank = await setting(tx, "bank");
  await notifyOwner(systemContext(tx), userId, template, {
    path: BILLING_PAGE,
    params: ({ locale, digits }) => ({
      ...sites,
      plan,
      ends: endsAt,
      until: new Date(endsAt.getTime() + GRACE_DAYS * DAY),
      amount: formatMoney(toMinor(price), { currency, locale: digits }),
      transfer: transferText(locale, bank, reference),
    }),
  });
}
