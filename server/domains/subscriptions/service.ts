import type { Context, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { text } from "@/server/core/texts";
import type { Work } from "@/server/infrastructure/database/transaction";
import { LICENCE_PAYMENT_DAYS, type listSubscriptionPlans, SITE_LICENCE_PRICE_TRY } from "./contract";

/** Plans of end customers, in their order. */
export async function plans({
  db,
  locale,
}: Context<UserActor>): Promise<Answer<typeof listSubscriptionPlans>> {
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

/** A subscription that gives slots, and how many of them are taken. */
export interface SlotRow {
  id: number;
  plan: string;
  ends_at: Date;
  slots: number;
  used: number;
}

/**
 * Slots of an account, the subscription that ends first at the top: it is filled first. Suspended sites
 * keep their slot.
 */
export async function slotsOf({ sql }: Pick<Work, "sql">, userId: number): Promise<SlotRow[]> {
  return sql<SlotRow>`
    select s.id, p.name as plan, s.ends_at, s.site_slots as slots,
           (select count(*)::int from sites where subscription_id = s.id) as used
      from subscriptions s join subscription_plans p on p.id = s.plan_id
     where s.user_id = ${userId} and s.status in ('active', 'past_due') and s.ends_at > now()
     order by s.ends_at, s.id`;
}

/**
 * Locks an account's subscriptions until the transaction ends, so that two creations cannot take one
 * slot. Count with {@link slotsOf} afterwards: a statement that started before the lock was won would
 * still see the old count.
 */
export async function lockSlots({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  await sql`select id from subscriptions where user_id = ${userId} order by id for update`;
}

export interface OpenedLicence {
  id: number;
  period_end: Date;
}

/** Opens the annual licence of one site; it is pending until its payment is recorded. */
export async function openLicence(
  { sql }: Pick<Work, "sql">,
  { userId, siteId }: { userId: number; siteId: number },
): Promise<OpenedLicence> {
  const [licence] = await sql<OpenedLicence>`
    insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by)
    values (${siteId}, ${userId}, ${SITE_LICENCE_PRICE_TRY}, now(), now() + interval '1 year',
            now() + make_interval(days => ${LICENCE_PAYMENT_DAYS}))
    returning id, period_end`;
  return licence!;
}

/** The plans a new installation starts with; an administrator changes them afterwards. */
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

/** Writes the plans into an empty table; later changes are never touched. */
export async function ensurePlans({ sql }: Pick<Work, "sql">): Promise<void> {
  await sql`
    insert into subscription_plans (slug, name, price, site_slots, monthly_credits, features, sort_order)
    select plan->>'slug', plan->>'name', (plan->>'price')::int, (plan->>'slots')::int, (plan->>'credits')::int,
           array(select jsonb_array_elements_text(plan->'features')), place
      from jsonb_array_elements(${JSON.stringify(PLANS)}::jsonb) with ordinality as given(plan, place)
     where not exists (select 1 from subscription_plans)
    on conflict (slug) do nothing`;
}
