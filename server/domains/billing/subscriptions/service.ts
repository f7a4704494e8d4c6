import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import type { listSubscriptionPlans } from "./contract";

/** Lists the plans for end customers, in their order. */
export async function plans({
  db,
  locale,
}: Context<UserActor>): Promise<Output<typeof listSubscriptionPlans>> {
  const rows = await db.subscriptionPlan.findMany({
    where: { isActive: true },
    orderBy: { sortOrder: "asc" },
  });
  const data = rows.map((plan) => ({
    id: plan.id,
    name: plan.name,
    slug: plan.slug,
    description: text(locale, `plans.${plan.slug}`),
    price: plan.price,
    currency: plan.currency,
    billing_period: plan.billingPeriod,
    site_slots: plan.siteSlots,
    monthly_credits: plan.monthlyCredits,
    features: plan.features.map((feature) => text(locale, `plans.features.${feature}`)),
    is_active: plan.isActive,
    sort_order: plan.sortOrder,
  }));
  return { success: true, data, count: data.length };
}

/**
 * Gives an account a subscription to a plan from now on, for one period of the plan. Each call gives another one.
 * Returns undefined when no active plan has this slug.
 */
export async function activatePlan(
  tx: Context,
  { userId, slug }: { userId: number; slug: string },
): Promise<{ plan: string; slots: number; endsAt: Date } | undefined> {
  const plan = await tx.db.subscriptionPlan.findUnique({
    where: { slug, isActive: true },
    select: {
      id: true,
      name: true,
      price: true,
      currency: true,
      monthlyCredits: true,
      siteSlots: true,
      billingPeriod: true,
    },
  });
  if (!plan) return undefined;
  const startsAt = new Date();
  const endsAt = periodAfter(startsAt, plan.billingPeriod);
  const { id } = await tx.db.subscription.create({
    data: {
      userId,
      planId: plan.id,
      planName: plan.name,
      priceMinor: plan.price * 100,
      currency: plan.currency,
      monthlyCredits: plan.monthlyCredits,
      siteSlots: plan.siteSlots,
      status: "active",
      startsAt,
      endsAt,
    },
    select: { id: true },
  });
  await audit(tx, {
    action: "subscription.activated",
    object: { type: "Subscription", id },
    details: { user: userId, plan: slug },
  });
  return { plan: plan.name, slots: plan.siteSlots, endsAt };
}

/** The end of a billing period; the last day of a shorter month stands for days that it does not have. */
function periodAfter(start: Date, period: string): Date {
  const months = { monthly: 1, yearly: 12 }[period];
  if (months === undefined) throw new Error(`a plan has the unknown billing period ${period}`);
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + months);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** The plans of a new installation; an administrator changes them later. */
const PLANS = [
  {
    slug: "starter",
    name: "Starter",
    price: 2999,
    slots: 1,
    credits: 1_000,
    features: ["sites_1", "channels", "ai_assistant"],
  },
  {
    slug: "pro",
    name: "Pro",
    price: 9999,
    slots: 5,
    credits: 10_000,
    features: ["sites_5", "channels", "ai_assistant", "team"],
  },
  {
    slug: "premium",
    name: "Premium",
    price: 24_999,
    slots: 15,
    credits: 40_000,
    features: ["sites_15", "channels", "ai_assistant", "own_ai_key", "team", "priority_support"],
  },
  {
    slug: "ultimate",
    name: "Ultimate",
    price: 59_999,
    slots: 50,
    credits: 150_000,
    features: [
      "sites_50",
      "channels",
      "ai_assistant",
      "own_ai_key",
      "team",
      "priority_support",
      "white_label",
    ],
  },
];

/** Writes the plans into an empty table; existing plans are never touched. */
export async function ensurePlans({ db }: Pick<Work, "db">): Promise<void> {
  if ((await db.subscriptionPlan.count()) > 0) return;
  const data = PLANS.map(({ slots, credits, ...plan }, index) => ({
    ...plan,
    siteSlots: slots,
    monthlyCredits: credits,
    sortOrder: index + 1,
  }));
  // Two servers may start at once.
  await db.subscriptionPlan.createMany({ data, skipDuplicates: true });
}
