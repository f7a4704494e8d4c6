import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import { invalidField } from "@/server/core/errors";
import { DAY, fromNow } from "@/server/core/time";
import { copyPlanTerms } from "@/server/domains/billing/subscriptions/service/terms";
import { SUBSCRIPTION_GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import type { Subscription, SubscriptionStatus } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { lockPlanForShare } from "../statements";

/** States of a subscription that can be renewed or reversed. */
export const RUNNING_STATES: SubscriptionStatus[] = ["active", "past_due"];

/** A paid plan ends the account's trial and takes over its sites. */
export async function findRunningTrial(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<number | undefined> {
  const trial = await db.subscription.findFirst({
    where: { userId, isTrial: true, status: { in: RUNNING_STATES } },
    select: { id: true },
  });
  return trial?.id;
}

interface RenewedSubscription {
  id: number;
  isTrial: boolean;
  endsAt: Date;
}

/** A renewal starts where the old period ends. The days after the end of a trial are free. */
export function getPeriodStart(renewed: RenewedSubscription | undefined): Date {
  const now = new Date();
  if (!renewed) return now;
  return renewed.isTrial && renewed.endsAt < now ? now : renewed.endsAt;
}

export async function closeRenewedSubscription(
  { db }: Pick<DbAccess, "db">,
  { id, userId }: { id: number; userId: number },
): Promise<RenewedSubscription> {
  const [closedSubscription] = await db.subscription.updateManyAndReturn({
    where: { id, userId, status: { in: RUNNING_STATES } },
    data: { status: "cancelled", closedReason: "renewed" },
    select: { id: true, isTrial: true, endsAt: true },
  });
  if (!closedSubscription) throw invalidField("renews_subscription_id", "subscription_not_running");
  return closedSubscription;
}

/** Reopens a subscription after its renewal was reversed. Returns true when it provides slots again. */
export async function reopenRenewedSubscription({ db }: Pick<DbAccess, "db">, id: number): Promise<boolean> {
  const renewedFilter = {
    id,
    status: "cancelled" as const,
    closedReason: "renewed",
    // Stays closed if its own payment was reversed, too.
    payments: { none: { state: "reversed" as const } },
  };
  const now = new Date();
  const { count } = await db.subscription.updateMany({
    where: { ...renewedFilter, endsAt: { gt: now } },
    data: { status: "active", closedReason: null },
  });
  // A trial that is over stays over: its notices are not sent again.
  await db.subscription.updateMany({
    where: { ...renewedFilter, isTrial: true, endsAt: { lte: fromNow(-SUBSCRIPTION_GRACE_DAYS * DAY) } },
    data: { status: "expired", closedReason: null },
  });
  await db.subscription.updateMany({
    where: { ...renewedFilter, endsAt: { lte: now } },
    data: { status: "past_due", closedReason: null },
  });
  return count > 0;
}

interface NewSubscription {
  userId: number;
  plan: z.output<typeof lockPlanForShare.row>;
  /** Subscription in state `pending` that the customer ordered. */
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
  const renewalField = renewsId === null ? {} : { renewsId };
  const data = { ...period, ...renewalField, status: "active" as const, activatedById: actor.id };
  if (orderId === null)
    return db.subscription.create({
      data: { ...data, userId, ...copyPlanTerms(plan) },
    });
  const [order] = await db.subscription.updateManyAndReturn({
    where: { id: orderId, userId, planId: plan.id, status: "pending" },
    data,
  });
  if (!order) throw invalidField("order_id", "order_not_open");
  return order;
}
