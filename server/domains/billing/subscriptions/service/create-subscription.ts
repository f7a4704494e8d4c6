import { addMonths } from "@/server/core/calendar";
import type { Context } from "@/server/core/context";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { copyPlanTerms } from "./terms";

/** Creates a subscription for one billing period. Returns undefined if no active plan has this slug. */
export async function createPlanSubscription(
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
  const endsAt = addMonths(startsAt, getPeriodMonths(plan.billingPeriod));
  const { id } = await tx.db.subscription.create({
    data: {
      userId,
      ...copyPlanTerms(plan),
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
  await emitWebhookEvent(tx, {
    type: "subscription.activated",
    ownerId: userId,
    data: { id, plan: plan.name, is_trial: false, user_id: userId, ends_at: toIsoMicros(endsAt) },
  });
  return { plan: plan.name, slots: plan.siteSlots, endsAt };
}

/** Throws for a period that no plan of this release has. */
export function getPeriodMonths(billingPeriod: string): number {
  const months = { monthly: 1, yearly: 12 }[billingPeriod];
  if (months === undefined) throw new Error(`a plan has the unknown billing period ${billingPeriod}`);
  return months;
}
