import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { revokeAccessOfDeactivated } from "@/server/domains/tenancy/customers/service/revoke-access";
import type { setUserStatus } from "../contract";
import { countSitesAndFactors, toUserRow, USER_ROW_SELECT } from "../dto";
import { inAdministratorTransaction, lockTarget } from "./target-account";

/** An administrator's deactivation overrides a reseller's or team owner's, who then cannot lift it. */
export async function setStatus(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof setUserStatus>,
): Promise<Output<typeof setUserStatus>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { is_active: isActive, reason } = body;
  const user = await inAdministratorTransaction(ctx, [id], async (tx) => {
    await setAccountActive(tx, id, { isActive, reason });
    return tx.db.user.findUniqueOrThrow({ where: { id }, select: USER_ROW_SELECT });
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.account_saved"),
    user: toUserRow(user, await countSitesAndFactors(ctx, [user])),
  };
}

/** Returns false if nothing changes. Throws `own_account`. */
export async function setAccountActive(
  tx: Context<UserActor>,
  id: number,
  { isActive, reason }: { isActive: boolean; reason: string },
): Promise<boolean> {
  const target = await lockTarget(tx, id);
  if (id === tx.actor.id) throw createError("own_account");
  const deactivatingRole = isActive ? null : ("admin" as const);
  if (target.isActive === isActive && target.deactivatedBy === deactivatingRole) return false;
  await updateUser(tx, { id }, { isActive, deactivatedBy: deactivatingRole });
  if (!isActive) await revokeAccessOfDeactivated(tx, id);
  const action = isActive ? "account.activated" : "account.deactivated";
  await audit(tx, { action, object: { type: "User", id }, details: { reason } });
  if (target.isActive !== isActive)
    await notifyOwner(tx, id, isActive ? "account_activated" : "account_deactivated", { path: "/sign-in" });
  return true;
}
