import { systemContext } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { factorsOf, resetFactors } from "@/server/domains/access/two-factor/service/reset";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockAdministrators, lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { readSetting } from "@/server/infrastructure/settings";

/** Time after `runAt` in which an approval is accepted. */
const APPROVAL_LIFE = 7 * DAY;

/** Matches an account that is still an active administrator. */
const ACTIVE_ADMIN = { is: { role: "admin", isActive: true } } as const;

/** Runs a due reset, or cancels a void one. The owner's link races with it for the row. */
export async function settleReset(
  work: DbAccess,
  { id, targetId }: { id: string; targetId: number },
): Promise<void> {
  const tx = systemContext(work);
  await lockAdministrators(tx);
  if (!(await lockUserIfAny(tx, targetId))) return;
  const action = await tx.db.adminAction.findUnique({
    where: { id },
    select: { factors: true, reason: true, requestedById: true, approvedById: true },
  });
  if (!action) return;
  const kinds = factorsOf(action.factors);
  const object = { type: "User", id: targetId } as const;
  const hasFactor = { factors: { some: { kind: { in: kinds }, confirmedAt: { not: null } } } };
  const end = (state: "done" | "cancelled", where: Prisma.AdminActionWhereInput) =>
    tx.db.adminAction.updateMany({
      where: { ...where, id, state: "waiting" },
      data: { state, endedAt: new Date() },
    });

  const cancelled = await end("cancelled", {
    OR: [
      { NOT: { requestedBy: ACTIVE_ADMIN } },
      { approvedById: { not: null }, NOT: { approvedBy: ACTIVE_ADMIN } },
      { NOT: { target: { is: { anonymisedAt: null, ...hasFactor } } } },
      { approvedById: null, runAt: { lt: fromNow(-APPROVAL_LIFE) } },
    ],
  });
  if (cancelled.count > 0) {
    await audit(tx, { action: "factor_reset.cancelled", object, details: { why: "void" } });
    await notifyOwner(tx, targetId, "factor_reset_cancelled", { path: "/sign-in" });
    return;
  }

  const needsTwo = await readSetting(tx, "two_administrators");
  const withoutApproval = { needsApproval: false, target: { is: { role: { not: "admin" as const } } } };
  const done = await end("done", {
    runAt: { lte: new Date() },
    OR: [{ approvedBy: ACTIVE_ADMIN }, ...(needsTwo ? [] : [withoutApproval])],
  });
  if (done.count === 0) return;
  const removed = await resetFactors(tx, targetId, kinds);
  const { reason, requestedById, approvedById } = action;
  await audit(tx, {
    action: "factor_reset.done",
    object,
    details: { reason, removed: removed.join(", "), requested_by: requestedById, approved_by: approvedById },
  });
  await notifyOwner(tx, targetId, "factor_reset_done", { path: "/sign-in" });
}
