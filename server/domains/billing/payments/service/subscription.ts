import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import { invalid } from "@/server/core/errors";
import { termsOf } from "@/server/domains/billing/subscriptions/service/terms";
import type { Subscription, SubscriptionStatus } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { lockPlanForShare } from "../statements";

/** States of a subscription that can be renewed or reversed. */
export const RUNNING_STATES: SubscriptionStatus[] = ["active", "past_due"];

/** Closes a renewed subscription. Throws if it is not running or belongs to another account. */
export async function closeRenewed(
  { db }: Pick<DbAccess, "db">,
  { id, userId }: { id: number; userId: number },
): Promise<{ id: number; endsAt: Date }> {
  const [closed] = await db.subscription.updateManyAndReturn({
    where: { id, userId, status: { in: RUNNING_STATES } },
    data: { status: "cancelled", closedReason: "renewed" },
    select: { id: true, endsAt: true },
  });
  if (!closed) throw invalid("renews_subscription_id", "subscription_not_running");
  return closed;
}

/** Reopens a subscription after its renewal was reversed. Returns true when it provides slots again. */
export async function reopenRenewed({ db }: Pick<DbAccess, "db">, id: number): Promise<boolean> {
  const closed = {
    id,
    status: "cancelled" as const,
    closedReason: "renewed",
    payments: { none: { state: "reversed" as const } },
  };
  const now = new Date();
  const { count } = await db.subscription.updateMany({
    where: { ...closed, endsAt: { gt: now } },
    data: { status: "active", closedReason: null },
  });
  await db.subscription.updateMany({
    where: { ...closed, endsAt: { lte: now } },
    data: { status: "past_due", closedReason: null },
  });
  return count > 0;
}

interface NewSubscription {
  userId: number;
  plan: z.output<typeof lockPlanForShare.row>;
  orderId: number | null;
  renewsId: number | null;
  startsAt: Date;
  endsAt: Date;
}

/** Creates a subscription with the plan's current terms, or activates an order with its own terms. */
export async function openSubscription(
  { db, actor }: Context<UserActor>,
  { userId, plan, orderId, renewsId, ...period }: NewSubscription,
): Promise<Subscription> {
  const renews = renewsId === null ? {} : { renewsId };
  const data = { ...period, ...renews, status: "active" as const, activatedById: actor.id };
  if (orderId === null)
    return db.subscription.create({
      data: { ...data, userId, ...termsOf(plan) },
    });
  const [ordered] = await db.subscription.updateManyAndReturn({
    where: { id: orderId, userId, planId: plan.id, status: "pending" },
    data,
  });
  if (!ordered) throw invalid("order_id", "order_not_open");
  return ordered;
}
