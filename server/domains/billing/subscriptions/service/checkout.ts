import { addMonths } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalidField } from "@/server/core/errors";
import { splitVat, toAmount, toMinor } from "@/server/core/money";
import { toIsoMicros } from "@/server/core/time";
import { findMissingInvoiceFields, getBillTo } from "@/server/domains/billing/billing-profile/service";
import type { Prisma, SubscriptionPlan } from "@/server/infrastructure/database/generated/client";
import { getSetting } from "@/server/infrastructure/settings";
import type { getCheckout } from "../contract";
import { requireCustomer } from "./access";
import { getPeriodMonths } from "./create-subscription";
import { getSlotsUntil, whereSiteNeedsSlot } from "./forecast";
import { listOpenOrders } from "./orders";
import { OFFERED_PLAN_FILTER, toOfferedPlan } from "./plans";

type Checkout = Output<typeof getCheckout>["checkout"];

export async function previewOrder(
  ctx: Context<UserActor>,
  { query }: Input<typeof getCheckout>,
): Promise<Output<typeof getCheckout>> {
  await requireCustomer(ctx);
  const { id: userId } = ctx.actor;
  const plan = await ctx.db.subscriptionPlan.findUnique({
    where: { id: query.plan_id, ...OFFERED_PLAN_FILTER },
  });
  if (!plan) throw invalidField("plan_id", "plan_unavailable");
  const [vatRate, user, { current, restoredCount }, orders] = await Promise.all([
    getSetting(ctx, "vat_rate"),
    ctx.db.user.findUniqueOrThrow({ where: { id: userId }, select: { id: true, name: true, email: true } }),
    forecastEffects(ctx, userId, plan),
    listOpenOrders(ctx, userId),
  ]);
  const grossMinor = toMinor(plan.price);
  const { net, vat } = splitVat(grossMinor, vatRate);
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
      restored_count: restoredCount,
      orders,
      missing_details: findMissingInvoiceFields(await getBillTo(ctx, user)),
    },
  };
}

interface SlotTerm {
  /** Undefined for the ordered plan. */
  id?: number;
  endsAt: Date;
  freeSlots: number;
}

interface Effects {
  current: Checkout["current"];
  restoredCount: number;
}

/**
 * Forecasts the sites as if the plan were activated today: it takes over the sites of a trial, then takes back
 * suspended sites, and receives sites of other subscriptions as they end. Must match
 * `performActivation()` and `releaseSubscriptionSites()`.
 */
async function forecastEffects(
  { db }: Pick<Context, "db">,
  userId: number,
  plan: SubscriptionPlan,
): Promise<Effects> {
  const [rows, suspendedCount] = await Promise.all([
    db.subscription.findMany({
      where: { userId, status: { in: ["active", "past_due"] } },
      orderBy: [{ endsAt: "asc" }, { id: "asc" }],
      select: SLOT_SELECT,
    }),
    db.site.count({ where: { userId, suspendedReason: "subscription_ended", deletedAt: null } }),
  ]);
  const paidRows = rows.filter(({ isTrial }) => !isTrial);
  const orderedTerm: SlotTerm = {
    endsAt: addMonths(new Date(), getPeriodMonths(plan.billingPeriod)),
    freeSlots: plan.siteSlots,
  };
  const paidTerms = paidRows.map(
    ({ id, endsAt, siteSlots, usedSlots }): SlotTerm => ({ id, endsAt, freeSlots: siteSlots - usedSlots }),
  );
  /** Uses up free slots in order, and returns the number of sites that found one. */
  const moveSites = (siteCount: number, targets: readonly SlotTerm[]) =>
    targets.reduce((movedCount, term) => {
      const count = Math.min(siteCount - movedCount, term.freeSlots);
      term.freeSlots -= count;
      return movedCount + count;
    }, 0);
  const trial = rows.find(({ isTrial }) => isTrial);
  const movedTrialCount = trial ? moveSites(trial.usedSlots, [orderedTerm, ...paidTerms]) : 0;
  const restoredCount = moveSites(suspendedCount, [orderedTerm]);
  const current: Checkout["current"] = trial
    ? [toCurrent(trial, plan, { movedCount: movedTrialCount, siteCount: trial.usedSlots })]
    : [];
  for (const row of paidRows) {
    const siteCount = await db.site.count({ where: whereSiteNeedsSlot(row) });
    const laterTerms = [...paidTerms, orderedTerm].filter(
      (term) => term.id !== row.id && term.endsAt > row.endsAt,
    );
    current.push(toCurrent(row, plan, { movedCount: moveSites(siteCount, laterTerms), siteCount }));
  }
  return { current, restoredCount };
}

const SLOT_SELECT = {
  id: true,
  planId: true,
  planName: true,
  isTrial: true,
  status: true,
  reference: true,
  siteSlots: true,
  usedSlots: true,
  endsAt: true,
} as const satisfies Prisma.SubscriptionSelect;

function toCurrent(
  row: Prisma.SubscriptionGetPayload<{ select: typeof SLOT_SELECT }>,
  plan: SubscriptionPlan,
  { movedCount, siteCount }: { movedCount: number; siteCount: number },
): Checkout["current"][number] {
  return {
    id: row.id,
    plan: row.planName,
    is_same_plan: row.planId === plan.id,
    is_trial: row.isTrial,
    status: row.status as "active" | "past_due",
    reference: row.isTrial ? null : row.reference,
    ends_at: toIsoMicros(row.endsAt),
    slots_until: toIsoMicros(getSlotsUntil(row)),
    moved_count: movedCount,
    suspended_count: siteCount - movedCount,
  };
}
