import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError, invalidField } from "@/server/core/errors";
import { formatMoney, toAmount } from "@/server/core/money";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { saveLockedBillingProfile } from "@/server/domains/billing/billing-profile/service";
import { formatBankTransferText } from "@/server/domains/platform/settings/service";
import { getPaymentPath } from "@/server/domains/sites/slots/contract";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import type { cancelOrder, createOrder, getBilling } from "../contract";
import { OPEN_ORDERS_MAX, ORDER_LIFETIME_DAYS } from "../policy";
import { requireCustomer } from "./access";
import { OFFERED_PLAN_FILTER } from "./plans";
import { copyPlanTerms } from "./terms";

/** Orders a plan on its current terms. An administrator activates it once the payment has arrived. */
export async function placeOrder(
  ctx: Context<UserActor>,
  { body }: Input<typeof createOrder>,
): Promise<Output<typeof createOrder>> {
  await requireCustomer(ctx);
  const { id: userId } = ctx.actor;
  return withLockedOwnAccount(ctx, async (tx) => {
    if (body.bill_to) await saveLockedBillingProfile(tx, userId, body.bill_to);
    const plan = await tx.db.subscriptionPlan.findUnique({
      where: { id: body.plan_id, ...OFFERED_PLAN_FILTER },
    });
    if (!plan) throw invalidField("plan_id", "plan_unavailable");
    const replacedIds = [...new Set(body.replaces_order_ids)];
    if ((await cancelOpenOrders(tx, { ids: replacedIds, userId })) < replacedIds.length)
      throw invalidField("replaces_order_ids", "orders_not_open");
    if ((await tx.db.subscription.count({ where: { userId, status: "pending" } })) >= OPEN_ORDERS_MAX)
      throw createError("orders_full", { params: { max: OPEN_ORDERS_MAX } });
    const newOrder = await tx.db.subscription.create({
      data: {
        userId,
        ...copyPlanTerms(plan),
        status: "pending",
        startsAt: new Date(),
        endsAt: fromNow(ORDER_LIFETIME_DAYS * DAY),
      },
      select: { id: true, reference: true, priceMinor: true, currency: true, endsAt: true },
    });
    const { id, reference, priceMinor, currency, endsAt } = newOrder;
    const bank = await getSetting(tx, "bank");
    await audit(tx, {
      action: "order.placed",
      object: { type: "Subscription", id },
      details: { plan: plan.slug },
    });
    for (const replacedId of replacedIds)
      await audit(tx, {
        action: "order.withdrawn",
        object: { type: "Subscription", id: replacedId },
        details: { replaced_by: id },
      });
    await notifyOwner(tx, userId, "order_placed", {
      path: getPaymentPath(reference),
      params: ({ locale, formatDay }) => ({
        plan: plan.name,
        until: formatDay(endsAt),
        amount: formatMoney(priceMinor, { currency, locale }),
        transfer: formatBankTransferText(locale, bank, reference),
      }),
    });
    const expires_at = toIsoMicros(endsAt);
    return {
      success: true,
      order: { id, reference, amount: toAmount(priceMinor), currency, bank, expires_at },
    };
  });
}

export async function listOpenOrders(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<Output<typeof getBilling>["orders"]> {
  const rows = await db.subscription.findMany({
    where: { userId, status: "pending" },
    orderBy: { id: "asc" },
    select: { id: true, planName: true, reference: true, priceMinor: true, currency: true, endsAt: true },
  });
  return rows.map(({ id, planName, reference, priceMinor, currency, endsAt }) => ({
    id,
    plan: planName,
    reference,
    amount: toAmount(priceMinor),
    currency,
    expires_at: toIsoMicros(endsAt),
  }));
}

export async function withdrawOrder(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof cancelOrder>,
): Promise<Output<typeof cancelOrder>> {
  const { id: userId } = ctx.actor;
  await withLockedOwnAccount(ctx, async (tx) => {
    if ((await cancelOpenOrders(tx, { ids: [id], userId })) > 0) {
      await audit(tx, { action: "order.withdrawn", object: { type: "Subscription", id } });
      return;
    }
    const storedOrder = await tx.db.subscription.findUnique({ where: { id }, select: { userId: true } });
    throw storedOrder?.userId === userId
      ? createError("order_closed")
      : createInaccessibleError(storedOrder, "Subscription", id);
  });
  return { success: true, message: formatText(ctx.locale, "responses.order_withdrawn") };
}

/** Returns the number of orders that were open. Lock the account first. */
async function cancelOpenOrders(
  { db }: Pick<Context, "db">,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<number> {
  const { count } = await db.subscription.updateMany({
    where: { id: { in: [...ids] }, userId, status: "pending" },
    data: { status: "cancelled", closedReason: "cancelled" },
  });
  return count;
}

/** Deletes all subscriptions and orders of an account. For accounts without payments only. */
export async function deleteUnpaidSubscriptions({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.subscription.deleteMany({ where: { userId, payments: { none: {} } } });
}
