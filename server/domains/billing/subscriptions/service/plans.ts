import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import type { Locale } from "@/server/core/locale";
import { formatText, hasText } from "@/server/core/texts";
import type { SubscriptionPlan } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { listSubscriptionPlans, PlanTexts } from "../contract";

export const OFFERED_PLAN_FILTER = { isActive: true, eligible: true } as const;

/** The same rule as `OFFERED_PLAN_FILTER`. */
export const isPlanOffered = ({ isActive, eligible }: { isActive: boolean; eligible: boolean }) =>
  isActive && eligible;

export async function listOfferedPlans({
  db,
  locale,
}: Context<UserActor>): Promise<Output<typeof listSubscriptionPlans>> {
  const rows = await db.subscriptionPlan.findMany({
    where: OFFERED_PLAN_FILTER,
    orderBy: { sortOrder: "asc" },
  });
  const data = rows.map((plan) => toOfferedPlan(plan, locale));
  return { success: true, data, count: data.length };
}

export const toOfferedPlan = (plan: SubscriptionPlan, locale: Locale) => ({
  ...toPlanFields(plan),
  ...getPlanTexts(plan, locale),
});

export function toPlanFields(plan: SubscriptionPlan) {
  return {
    id: plan.id,
    name: plan.name,
    slug: plan.slug,
    price: plan.price,
    currency: plan.currency,
    billing_period: plan.billingPeriod,
    site_slots: plan.siteSlots,
    monthly_credits: plan.monthlyCredits,
    is_active: plan.isActive,
    sort_order: plan.sortOrder,
  };
}

/** Returns a plan's texts in a language: the administrator's, otherwise the default translations. */
function getPlanTexts({ slug, texts, features }: SubscriptionPlan, locale: Locale) {
  const administratorTexts = (texts as PlanTexts)[locale];
  const translate = (key: string) => (hasText(locale, key) ? formatText(locale, key) : undefined);
  return {
    description: administratorTexts?.description ?? translate(`plans.${slug}`) ?? "",
    features:
      administratorTexts?.features ??
      features.flatMap((feature) => translate(`plans.features.${feature}`) ?? []),
  };
}

const DEFAULT_PLANS = [
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

export async function ensureDefaultPlans({ db }: Pick<DbAccess, "db">): Promise<void> {
  if ((await db.subscriptionPlan.count()) > 0) return;
  const data = DEFAULT_PLANS.map(({ slots, credits, ...plan }, index) => ({
    ...plan,
    siteSlots: slots,
    monthlyCredits: credits,
    sortOrder: index + 1,
  }));
  // Two servers may start at the same time.
  await db.subscriptionPlan.createMany({ data, skipDuplicates: true });
}
