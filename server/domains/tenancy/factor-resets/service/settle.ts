import { createSystemContext } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { resetFactors, selectFactorKinds } from "@/server/domains/access/two-factor/service/reset-factors";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockAdministrators, lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { readSetting } from "@/server/infrastructure/settings";

/** Time after `runAt` in which an approval is accepted. The description of `resetTwoFactor` names it. */
const APPROVAL_LIFETIME_MS = 7 * DAY;

const ACTIVE_ADMIN = { is: { role: "admin", isActive: true } } as const;

/** Runs a due reset or cancels an invalid one. The check of `state` decides races with `stopResetByLink`. */
export async function settleReset(
  transaction: DbAccess,
  { id, targetId }: { id: string; targetId: number },
): Promise<void> {
  const tx = createSystemContext(transaction);
  await lockAdministrators(tx);
  if (!(await lockUserIfExists(tx, targetId))) return;
  const storedReset = await tx.db.adminAction.findUnique({
    where: { id },
    select: { factors: true, reason: true, requestedById: true, approvedById: true },
  });
  if (!storedReset) return;
  const factorKinds = selectFactorKinds(storedReset.factors);
  const auditObject = { type: "User", id: targetId } as const;
  const whereHasFactor = { factors: { some: { kind: { in: factorKinds }, confirmedAt: { not: null } } } };
  const endReset = (state: "done" | "cancelled", where: Prisma.AdminActionWhereInput) =>
    tx.db.adminAction.updateMany({
      where: { ...where, id, state: "waiting" },
      data: { state, endedAt: new Date() },
    });

  const cancellation = await endReset("cancelled", {
    OR: [
      { NOT: { requestedBy: ACTIVE_ADMIN } },
      { approvedById: { not: null }, NOT: { approvedBy: ACTIVE_ADMIN } },
      { NOT: { target: { is: { anonymisedAt: null, ...whereHasFactor } } } },
      { approvedById: null, runAt: { lt: fromNow(-APPROVAL_LIFETIME_MS) } },
    ],
  });
  if (cancellation.count > 0) {
    await audit(tx, { action: "factor_reset.cancelled", object: auditObject, details: { why: "void" } });
    await notifyOwner(tx, targetId, "factor_reset_cancelled", { path: "/sign-in" });
    return;
  }

  const needsTwoAdministrators = await readSetting(tx, "two_administrators");
  const whereNoApprovalNeeded = { needsApproval: false, target: { is: { role: { not: "admin" as const } } } };
  const completion = await endReset("done", {
    runAt: { lte: new Date() },
    OR: [{ approvedBy: ACTIVE_ADMIN }, ...(needsTwoAdministrators ? [] : [whereNoApprovalNeeded])],
  });
  if (completion.count === 0) return;
  const removedKinds = await resetFactors(tx, targetId, factorKinds);
  const { reason, requestedById, approvedById } = storedReset;
  await audit(tx, {
    action: "factor_reset.done",
    object: auditObject,
    details: {
      reason,
      removed: removedKinds.join(", "),
      requested_by: requestedById,
      approved_by: approvedById,
    },
  });
  await notifyOwner(tx, targetId, "factor_reset_done", { path: "/sign-in" });
}
