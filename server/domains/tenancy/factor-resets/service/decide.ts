import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import {
  inAdministratorTransaction,
  lockTarget,
} from "@/server/domains/tenancy/administration/service/target-account";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { readSetting } from "@/server/infrastructure/settings";
import type { approveFactorReset, cancelFactorReset, stopFactorReset } from "../contract";
import { RESET_SELECT, toFactorReset } from "../dto";

/** Only one of several concurrent calls succeeds. Throws `own_approval` and `factor_reset_over`. */
export async function approveReset(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof approveFactorReset>,
): Promise<Output<typeof approveFactorReset>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const reset = await inAdministratorTransaction(ctx, await findTargetIds(ctx, id), async (tx) => {
    const { targetId, requestedById } = await lockReset(tx, id);
    if ([targetId, requestedById].includes(tx.actor.id)) throw createError("own_approval");
    const { count } = await tx.db.adminAction.updateMany({
      where: { id, state: "waiting", approvedById: null },
      data: { approvedById: tx.actor.id },
    });
    if (count === 0) throw createError("factor_reset_over");
    await audit(tx, { action: "factor_reset.approved", object: { type: "User", id: targetId } });
    return readReset(tx, id);
  });
  return { success: true, message: formatText(ctx.locale, "responses.factor_reset_approved"), reset };
}

export async function cancelReset(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof cancelFactorReset>,
): Promise<Output<typeof cancelFactorReset>> {
  const reset = await inAdministratorTransaction(ctx, await findTargetIds(ctx, id), async (tx) => {
    const { targetId } = await lockReset(tx, id);
    const { count } = await tx.db.adminAction.updateMany({
      where: { id, state: "waiting" },
      data: { state: "cancelled", endedAt: new Date() },
    });
    if (count === 0) throw createError("factor_reset_over");
    const details = { why: "administrator" };
    await audit(tx, { action: "factor_reset.cancelled", object: { type: "User", id: targetId }, details });
    await notifyOwner(tx, targetId, "factor_reset_cancelled", { path: "/sign-in" });
    return readReset(tx, id);
  });
  return { success: true, message: formatText(ctx.locale, "responses.factor_reset_cancelled"), reset };
}

export async function stopResetByLink(
  ctx: Context,
  { body }: Input<typeof stopFactorReset>,
): Promise<Output<typeof stopFactorReset>> {
  if (!isWellFormedToken(body.token, "dsa")) throw createError("factor_reset_invalid");
  const cancelHash = hashSecret(body.token);
  await withTransaction(ctx, async (tx) => {
    const storedReset = await tx.db.adminAction.findUnique({
      where: { cancelHash },
      select: { targetId: true },
    });
    if (!storedReset || !(await lockUserIfExists(tx, storedReset.targetId)))
      throw createError("factor_reset_invalid");
    const { count } = await tx.db.adminAction.updateMany({
      where: { cancelHash, state: "waiting" },
      data: { state: "cancelled", endedAt: new Date() },
    });
    if (count === 0) throw createError("factor_reset_invalid");
    await audit(tx, {
      action: "factor_reset.cancelled",
      object: { type: "User", id: storedReset.targetId },
      actorId: storedReset.targetId,
      details: { why: "owner" },
    });
  });
  return { success: true, message: formatText(ctx.locale, "responses.factor_reset_stopped") };
}

async function findTargetIds({ db }: Context, id: string): Promise<number[]> {
  const storedReset = await db.adminAction.findUnique({ where: { id }, select: { targetId: true } });
  return storedReset ? [storedReset.targetId] : [];
}

async function lockReset(tx: Context<UserActor>, id: string) {
  const storedReset = await tx.db.adminAction.findUnique({
    where: { id },
    select: { targetId: true, requestedById: true },
  });
  if (!storedReset) throw createNotFoundError("FactorReset", id);
  await lockTarget(tx, storedReset.targetId);
  return storedReset;
}

async function readReset(tx: Context, id: string) {
  const row = await tx.db.adminAction.findUniqueOrThrow({ where: { id }, select: RESET_SELECT });
  return toFactorReset(row, await readSetting(tx, "two_administrators"));
}
