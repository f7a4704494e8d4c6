import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { fromNow, HOUR } from "@/server/core/time";
import { selectFactorKinds } from "@/server/domains/access/two-factor/service/reset-factors";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import {
  inAdministratorTransaction,
  lockTarget,
} from "@/server/domains/tenancy/administration/service/target-account";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { readSetting } from "@/server/infrastructure/settings";
import type { resetTwoFactor } from "../contract";
import { RESET_SELECT, toFactorReset } from "../dto";

/** A job runs the reset at `runAt`. Until then the owner can stop it with the mailed link. */
export async function requestFactorReset(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof resetTwoFactor>,
): Promise<Output<typeof resetTwoFactor>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const factors = [...new Set(body.factors ?? [])];
  const reset = await inAdministratorTransaction(ctx, [id], async (tx) => {
    const target = await lockTarget(tx, id);
    if (id === tx.actor.id) throw createError("own_account");
    const whereFactor = { userId: id, kind: { in: selectFactorKinds(factors) }, confirmedAt: { not: null } };
    if ((await tx.db.factor.count({ where: whereFactor })) === 0) throw createError("no_second_factor");
    const kind = "reset_two_factor" as const;
    if ((await tx.db.adminAction.count({ where: { targetId: id, kind, state: "waiting" } })) > 0)
      throw createError("factor_reset_waiting");
    const needsTwoAdministrators = await readSetting(tx, "two_administrators");
    const needsApproval = needsTwoAdministrators || target.role === "admin";
    if (needsApproval) await requireApprover(tx, id);
    const delayHours = await readSetting(tx, "factor_reset_delay_hours");
    const token = createToken("dsa");
    const runAt = fromNow(delayHours * HOUR);
    const createdReset = await tx.db.adminAction.create({
      data: {
        id: ulid(),
        kind,
        targetId: id,
        requestedById: tx.actor.id,
        reason: body.reason,
        factors,
        needsApproval,
        runAt,
        cancelHash: hashSecret(token),
      },
      select: RESET_SELECT,
    });
    await audit(tx, {
      action: "factor_reset.asked",
      object: { type: "User", id },
      details: {
        reason: body.reason,
        factors: selectFactorKinds(factors).join(", "),
        approval: needsApproval,
      },
    });
    await notifyOwner(tx, id, "factor_reset_asked", {
      path: `/stop-factor-reset?token=${token}`,
      params: { date: runAt },
    });
    return toFactorReset(createdReset, needsTwoAdministrators);
  });
  return { success: true, message: formatText(ctx.locale, "responses.factor_reset_asked"), reset };
}

async function requireApprover(tx: Context<UserActor>, targetId: number): Promise<void> {
  const approverCount = await tx.db.user.count({
    where: { role: "admin", isActive: true, id: { notIn: [tx.actor.id, targetId] } },
  });
  if (approverCount === 0) throw createError("second_administrator_missing");
}
