import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createNotFoundError, invalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit, diffFields } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { listPlans, PlanTexts, putPlan } from "../contract";
import { PLAN_NAMES } from "../policy";
import { lockPlans } from "../statements";
import { toPlanFields } from "./plans";

const LIVE_SUBSCRIPTION_FILTER = {
  status: { in: ["pending", "active", "past_due"] },
} satisfies Prisma.SubscriptionWhereInput;
const LIVE_COUNT_INCLUDE = {
  _count: { select: { subscriptions: { where: LIVE_SUBSCRIPTION_FILTER } } },
} as const;

type PlanRow = Prisma.SubscriptionPlanGetPayload<{ include: typeof LIVE_COUNT_INCLUDE }>;

function toAdminPlan(plan: PlanRow) {
  return {
    ...toPlanFields(plan),
    features: plan.features,
    texts: plan.texts as PlanTexts,
    eligible: plan.eligible,
    live_count: plan._count.subscriptions,
    updated_at: toIsoMicros(plan.updatedAt),
  };
}

export async function listAllPlans({ db, actor }: Context<UserActor>): Promise<Output<typeof listPlans>> {
  requireAdministrator(actor);
  const rows = await db.subscriptionPlan.findMany({
    orderBy: { sortOrder: "asc" },
    include: LIVE_COUNT_INCLUDE,
  });
  const plans = rows.map(toAdminPlan);
  return { success: true, plans, data: plans, count: plans.length };
}

/** Changes a plan for future orders; existing subscriptions and orders keep their terms. */
export async function changePlan(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof putPlan>,
): Promise<Output<typeof putPlan>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { expected, ...fields } = body;
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  const plan = await withLockedOwnAccount(ctx, async (tx) => {
    await lockPlans(tx);
    const storedPlan = await tx.db.subscriptionPlan.findUnique({
      where: { id },
      include: LIVE_COUNT_INCLUDE,
    });
    if (!storedPlan) throw createNotFoundError("SubscriptionPlan", id);
    const currentPlan = toAdminPlan(storedPlan);
    rejectStaleChange(expected, { current: currentPlan, requested: { ...currentPlan, ...changes } });
    const changedPlan = { ...currentPlan, ...changes };
    if (changedPlan.eligible && !PLAN_NAMES.includes(changedPlan.name))
      throw invalidField("name", "plan_name", { names: PLAN_NAMES.join(", ") });
    const sameNameFilter = { name: changedPlan.name, id: { not: id } };
    if ((await tx.db.subscriptionPlan.count({ where: sameNameFilter })) > 0)
      throw invalidField("name", "plan_taken");
    await audit(tx, {
      action: "plan.changed",
      object: { type: "SubscriptionPlan", id },
      changes: diffFields(currentPlan, { ...currentPlan, ...changes }),
    });
    return tx.db.subscriptionPlan.update({
      where: { id },
      data: {
        name: changedPlan.name,
        slug: changedPlan.slug,
        price: changedPlan.price,
        siteSlots: changedPlan.site_slots,
        monthlyCredits: changedPlan.monthly_credits,
        features: changedPlan.features,
        texts: changedPlan.texts,
        sortOrder: changedPlan.sort_order,
        isActive: changedPlan.is_active,
        eligible: changedPlan.eligible,
      },
      include: LIVE_COUNT_INCLUDE,
    });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "slug") ? invalidField("slug", "plan_taken") : error;
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.plan_saved"),
    plan: toAdminPlan(plan),
    kept_terms_count: plan._count.subscriptions,
  };
}
