import { addMonths } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { splitVat, toAmount, toMinor } from "@/server/core/money";
import { toIsoMicros } from "@/server/core/time";
import { findMissingInvoiceFields, getBillTo } from "@/server/domains/billing/billing-profile/service";
import type { SubscriptionPlan } from "@/server/infrastructure/database/generated/client";
import { getSetting } from "@/server/infrastructure/settings";
import type { getCheckout } from "../contract";
import { getPeriodMonths } from "./create-subscription";
import { forecastAtEnd, getSlotsUntil } from "./forecast";
import { listOpenOrders } from "./orders";
import { createBillingOfOwnerError } from "./owner-error";
import { OFFERED_PLAN_FILTER, toOfferedPlan } from "./plans";

type Checkout = Output<typeof getCheckout>["checkout"];

/** ID of the plan that is not ordered yet, in forecasts. */
const NEW_ID = 0;

export async function previewOrder(
  ctx: Context<UserActor>,
  { query }: Input<typeof getCheckout>,
): Promise<Output<typeof getCheckout>> {
  const { id: userId, role, scope } = ctx.actor;
  if (scope.isAgent) throw await createBillingOfOwnerError(ctx, userId);
  if (role === "admin") throw createError("forbidden");
  const plan = await ctx.db.subscriptionPlan.findUnique({
    where: { id: query.plan_id, ...OFFERED_PLAN_FILTER },
  });
  if (!plan) throw invalidField("plan_id", "plan_unavailable");
  const suspendedCount = await ctx.db.site.count({
    where: { userId, suspendedReason: "subscription_ended", deletedAt: null },
  });
  const [vatRate, user, current, orders] = await Promise.all([
    getSetting(ctx, "vat_rate"),
    ctx.db.user.findUniqueOrThrow({ where: { id: userId }, select: { id: true, name: true, email: true } }),
    listCurrentSubscriptions(ctx, userId, plan),
    listOpenOrders(ctx, userId),
  ]);
  const grossMinor = toMinor(plan.price);
  const { net, vat } = splitVat(grossMinor, vatRate);
  const movedFromTrial = current.find(({ is_trial }) => is_trial)?.moved_count ?? 0;
  return {
    success: true,
    checkout: {
      plan: toOfferedPlan(plan, ctx.locale),
      amount: toAmount(grossMinor),
      net_amount: toAmount(net),
      vat_amount: toAmount(vat),
      vat_rate: vatRate,
      currency: plan.currency,
      period_months: getPeriodMonths(plan.billingPeriod),
      current,
      restored_count: Math.min(suspendedCount, Math.max(0, plan.siteSlots - movedFromTrial)),
      orders,
      missing_details: findMissingInvoiceFields(await getBillTo(ctx, user)),
    },
  };
}

/** Lists the running subscriptions and forecasts their sites as if the plan were activated today. */
async function listCurrentSubscriptions(
  { db }: Pick<Context, "db">,
  userId: number,
  plan: SubscriptionPlan,
): Promise<Checkout["current"]> {
  const rows = await db.subscription.findMany({
    where: { userId, status: { in: ["active", "past_due"] } },
    orderBy: [{ endsAt: "asc" }, { id: "asc" }],
    select: {
      id: true,
      planId: true,
      planName: true,
      isTrial: true,
      status: true,
      reference: true,
      siteSlots: true,
      usedSlots: true,
      endsAt: true,
    },
  });
  const orderedTerm = {
    id: NEW_ID,
    siteSlots: plan.siteSlots,
    usedSlots: 0,
    endsAt: addMonths(new Date(), getPeriodMonths(plan.billingPeriod)),
  };
  return Promise.all(
    rows.map(async (row) => {
      const forecast = await forecastAtEnd({ db }, row, [...rows, orderedTerm]);
      return {
        id: row.id,
        plan: row.planName,
        is_same_plan: row.planId === plan.id,
        is_trial: row.isTrial,
        status: row.status as "active" | "past_due",
        reference: row.isTrial ? null : row.reference,
        ends_at: toIsoMicros(row.endsAt),
        slots_until: toIsoMicros(getSlotsUntil(row)),
        moved_count: forecast.moved_count,
        suspended_count: forecast.suspended_count,
      };
    }),
  );
}
