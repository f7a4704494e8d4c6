import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { findSpamProblem, getMailDomain } from "@/server/domains/accounts/users/service/spam-guard";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { requireCustomer } from "@/server/domains/billing/subscriptions/service/access";
import { OFFERED_PLAN_FILTER } from "@/server/domains/billing/subscriptions/service/plans";
import { copyPlanTerms } from "@/server/domains/billing/subscriptions/service/terms";
import { BILLING_PATH, SUBSCRIPTION_GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { readLockedSetting, readSetting } from "@/server/infrastructure/settings";
import type { getTrial, startTrial } from "./contract";

type Refusal = NonNullable<Output<typeof getTrial>["trial"]["refusal"]>;

export async function getTrialOffer(ctx: Context<UserActor>): Promise<Output<typeof getTrial>> {
  await requireCustomer(ctx);
  const [days, slotCount] = await Promise.all([
    readSetting(ctx, "trial_days"),
    readSetting(ctx, "trial_slots"),
  ]);
  const plan = await findTrialPlan(ctx);
  const refusal = await findRefusal(ctx, {
    isOffered: plan !== null && days > 0,
    isVerified: ctx.actor.emailVerified,
  });
  return {
    success: true,
    trial: {
      is_available: refusal === null,
      refusal,
      days,
      site_slots: slotCount,
      plan: plan && { id: plan.id, name: plan.name },
    },
  };
}

const ERROR_CODES = {
  not_offered: "trial_not_offered",
  used: "trial_used",
  had_plan: "trial_had_plan",
  unverified: "email_needs_verification",
} as const satisfies Record<Refusal, string>;

/** Starts a trial of the first plan on offer. */
export async function startOwnTrial(ctx: Context<UserActor>): Promise<Output<typeof startTrial>> {
  await requireCustomer(ctx);
  const checkedEmail = await requireCredibleAddress(ctx);
  const { id: userId } = ctx.actor;
  const subscription = await withLockedOwnAccount(ctx, async (tx) => {
    const days = await readLockedSetting(tx, "trial_days");
    const siteSlots = await readLockedSetting(tx, "trial_slots");
    const plan = await findTrialPlan(tx);
    const { email, emailVerifiedAt } = await tx.db.user.findUniqueOrThrow({
      where: { id: userId },
      select: { email: true, emailVerifiedAt: true },
    });
    // The address may have changed since the check.
    const isVerified = emailVerifiedAt !== null && email === checkedEmail;
    const refusal = await findRefusal(tx, { isOffered: plan !== null && days > 0, isVerified });
    if (refusal || !plan) throw createError(ERROR_CODES[refusal ?? "not_offered"]);
    const { id, startsAt, endsAt } = await tx.db.subscription.create({
      data: {
        userId,
        ...copyPlanTerms(plan),
        ...{ isTrial: true, priceMinor: 0, monthlyCredits: 0, siteSlots },
        status: "active",
        startsAt: new Date(),
        endsAt: fromNow(days * DAY),
      },
      select: { id: true, startsAt: true, endsAt: true },
    });
    await audit(tx, {
      action: "trial.started",
      object: { type: "Subscription", id },
      details: { plan: plan.slug, days, slots: siteSlots },
    });
    await emitWebhookEvent(tx, {
      type: "subscription.activated",
      ownerId: userId,
      data: { id, plan: plan.name, is_trial: true, user_id: userId, ends_at: toIsoMicros(endsAt) },
    });
    await notifyOwner(tx, userId, "trial_started", {
      path: BILLING_PATH,
      params: {
        plan: plan.name,
        slots: siteSlots,
        ends: endsAt,
        until: new Date(endsAt.getTime() + SUBSCRIPTION_GRACE_DAYS * DAY),
      },
    });
    return {
      id,
      plan: plan.name,
      site_slots: siteSlots,
      starts_at: toIsoMicros(startsAt),
      ends_at: toIsoMicros(endsAt),
    };
  });
  return { success: true, message: formatText(ctx.locale, "responses.trial_started"), subscription };
}

/** The spam guard of the sign-up, which an address changed since then has not passed. */
async function requireCredibleAddress({ db, actor }: Context<UserActor>): Promise<string> {
  const { email } = await db.user.findUniqueOrThrow({ where: { id: actor.id }, select: { email: true } });
  const domain = getMailDomain(email);
  const reason = await findSpamProblem({ db }, domain);
  if (!reason) return email;
  log.info({ event: "trial.refused", reason, domain });
  throw createError("trial_refused");
}

const findTrialPlan = ({ db }: Pick<Context, "db">) =>
  db.subscriptionPlan.findFirst({
    where: OFFERED_PLAN_FILTER,
    orderBy: [{ sortOrder: "asc" }, { id: "asc" }],
  });

async function findRefusal(
  { db, actor }: Context<UserActor>,
  { isOffered, isVerified }: { isOffered: boolean; isVerified: boolean },
): Promise<Refusal | null> {
  // Orders that were never activated do not count.
  const pastSubscription = await db.subscription.findFirst({
    where: {
      userId: actor.id,
      OR: [
        { status: { in: ["active", "past_due", "expired"] } },
        { closedReason: { in: ["renewed", "reversed"] } },
      ],
    },
    orderBy: { isTrial: "desc" },
    select: { isTrial: true },
  });
  if (pastSubscription) return pastSubscription.isTrial ? "used" : "had_plan";
  if (!isOffered) return "not_offered";
  return isVerified ? null : "unverified";
}
