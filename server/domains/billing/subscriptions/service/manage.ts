import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit, changesOf } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { isUniqueViolation } from "@/server/infrastructure/database/failure";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { listPlans, PlanTexts, putPlan } from "../contract";
import { PLAN_NAMES } from "../policy";
import { lockPlans } from "../statements";
import { planOf } from "./plans";

/** Subscriptions and orders that keep their terms when the plan changes. */
const LIVE = { status: { in: ["pending", "active", "past_due"] } } satisfies Prisma.SubscriptionWhereInput;
const WITH_COUNT = { _count: { select: { subscriptions: { where: LIVE } } } } as const;

type Row = Prisma.SubscriptionPlanGetPayload<{ include: typeof WITH_COUNT }>;

function adminPlan(plan: Row) {
  return {
    ...planOf(plan),
    features: plan.features,
    texts: plan.texts as PlanTexts,
    eligible: plan.eligible,
    live_count: plan._count.subscriptions,
    updated_at: isoMicros(plan.updatedAt),
  };
}

export async function list({ db, actor }: Context<UserActor>): Promise<Output<typeof listPlans>> {
  requireAdministrator(actor);
  const rows = await db.subscriptionPlan.findMany({ orderBy: { sortOrder: "asc" }, include: WITH_COUNT });
  const plans = rows.map(adminPlan);
  return { success: true, plans, data: plans, count: plans.length };
}

/** Changes a plan for future orders; existing subscriptions and orders keep their terms. */
export async function change(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof putPlan>,
): Promise<Output<typeof putPlan>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { expected, ...fields } = body;
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  const plan = await withOwnAccount(ctx, async (tx) => {
    await lockPlans(tx);
    const before = await tx.db.subscriptionPlan.findUnique({ where: { id }, include: WITH_COUNT });
    if (!before) throw refuse("record_not_found", { params: { model: "SubscriptionPlan", id } });
    const current = adminPlan(before);
    requireExpected(expected, { current, wanted: { ...current, ...changes } });
    const after = { ...current, ...changes };
    if (after.eligible && !PLAN_NAMES.includes(after.name))
      throw invalid("name", "plan_name", { names: PLAN_NAMES.join(", ") });
    const namesake = { name: after.name, id: { not: id } };
    if ((await tx.db.subscriptionPlan.count({ where: namesake })) > 0) throw invalid("name", "plan_taken");
    await audit(tx, {
      action: "plan.changed",
      object: { type: "SubscriptionPlan", id },
      changes: changesOf(current, { ...current, ...changes }),
    });
    return tx.db.subscriptionPlan.update({
      where: { id },
      data: {
        name: after.name,
        slug: after.slug,
        price: after.price,
        siteSlots: after.site_slots,
        monthlyCredits: after.monthly_credits,
        features: after.features,
        texts: after.texts,
        sortOrder: after.sort_order,
        isActive: after.is_active,
        eligible: after.eligible,
      },
      include: WITH_COUNT,
    });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, "slug") ? invalid("slug", "plan_taken") : error;
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.plan_saved"),
    plan: adminPlan(plan),
    kept_terms_count: plan._count.subscriptions,
  };
}
