import { columnToDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { queueTwoFactorDeadlines } from "@/server/domains/accounts/users/service/two-factor-requirement";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getTeamFactorDuty, putTeamFactorDuty } from "../contract";

export async function getTeamRequirement(ctx: Context<UserActor>): Promise<Output<typeof getTeamFactorDuty>> {
  await requireSignedReseller(ctx);
  return readTeamState(ctx, ctx.actor.id);
}

export async function changeTeamRequirement(
  ctx: Context<UserActor>,
  { body: { duty: newRequirement, expected } }: Input<typeof putTeamFactorDuty>,
): Promise<Output<typeof putTeamFactorDuty>> {
  await requireSignedReseller(ctx);
  await requireProof(ctx);
  const { id: resellerId } = ctx.actor;
  const state = await withLockedOwnAccount(ctx, async (tx) => {
    await requireSignedReseller(tx);
    const currentRequirement = await findRequirement(tx, resellerId);
    rejectStaleChange(expected, {
      current: { duty: currentRequirement },
      requested: { duty: newRequirement },
    });
    if (JSON.stringify(currentRequirement) === JSON.stringify(newRequirement))
      return readTeamState(tx, resellerId);
    await saveRequirement(tx, resellerId, newRequirement);
    const object = { type: "User" as const, id: resellerId };
    await audit(tx, {
      action: "factor_duty.changed",
      object,
      details: { before: JSON.stringify(currentRequirement), after: JSON.stringify(newRequirement) },
    });
    const newState = await readTeamState(tx, resellerId);
    await queueTwoFactorDeadlines(tx);
    return newState;
  });
  return { ...state, message: formatText(ctx.locale, "responses.factor_duty_saved") };
}

export async function endTeamRequirement(tx: DbAccess, resellerId: number): Promise<void> {
  const { count } = await tx.db.factorDuty.deleteMany({ where: { resellerId } });
  if (count > 0) await queueTwoFactorDeadlines(tx);
}

type Requirement = Output<typeof getTeamFactorDuty>["duty"];

async function saveRequirement(
  { db }: Pick<DbAccess, "db">,
  resellerId: number,
  requirement: Requirement,
): Promise<void> {
  if (!requirement) {
    await db.factorDuty.deleteMany({ where: { resellerId } });
    return;
  }
  const data = {
    requiredFrom: new Date(`${requirement.required_from}T00:00:00Z`),
    graceDays: requirement.grace_days,
  };
  await db.factorDuty.upsert({
    where: { resellerId },
    create: { resellerId, ...data },
    update: data,
    select: { resellerId: true },
  });
}

async function findRequirement({ db }: Pick<DbAccess, "db">, resellerId: number): Promise<Requirement> {
  const row = await db.factorDuty.findUnique({
    where: { resellerId },
    select: { requiredFrom: true, graceDays: true },
  });
  return row && { required_from: columnToDay(row.requiredFrom), grace_days: row.graceDays };
}

async function readTeamState(tx: Pick<DbAccess, "db">, resellerId: number) {
  const withoutFactorCount = await tx.db.user.count({
    where: {
      role: "user",
      isActive: true,
      anonymisedAt: null,
      OR: [{ resellerId }, { parentUserId: resellerId }, { resellerId: null, parent: { resellerId } }],
      factors: { none: { confirmedAt: { not: null } } },
      passkeys: { none: {} },
    },
  });
  return {
    success: true as const,
    duty: await findRequirement(tx, resellerId),
    without_count: withoutFactorCount,
  };
}
