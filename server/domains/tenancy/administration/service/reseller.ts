import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { voidPasswordResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { endSignIns } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { revokeFormerAccess } from "@/server/domains/tenancy/team/service/revoke-former-access";
import type { setUserReseller } from "../contract";
import { countSitesAndFactors, toUserRow, USER_ROW_SELECT } from "../dto";
import {
  hasParentOrReseller,
  inAdministratorTransaction,
  listAccountAndMemberIds,
  lockTargetAndMembers,
} from "./target-account";

/** Moves a customer to another reseller or to none. The administrators' lock keeps the reseller's role. */
export async function setReseller(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof setUserReseller>,
): Promise<Output<typeof setUserReseller>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { reseller_id: resellerId, reason } = body;
  const user = await inAdministratorTransaction(ctx, await listAccountAndMemberIds(ctx, id), async (tx) => {
    const { target, memberIds } = await lockTargetAndMembers(tx, id);
    if (target.role !== "user" || target.isAgentOnly || target.parentUserId !== null)
      throw createError("no_customer");
    const current = { reseller_id: target.resellerId };
    rejectStaleChange(body.expected, { current, requested: { reseller_id: resellerId } });
    if (resellerId !== target.resellerId) {
      if (resellerId !== null) await requireActiveReseller(tx, resellerId);
      await updateUser(tx, { id }, { resellerId });
      const accountIds = [id, ...memberIds];
      for (const accountId of accountIds) {
        await endAccessAndNotify(tx, accountId);
        if (hasParentOrReseller(target)) await revokeFormerAccess(tx, accountId, accountIds);
      }
      const details = { before: target.resellerId, after: resellerId, reason };
      await audit(tx, { action: "account.reseller_changed", object: { type: "User", id }, details });
    }
    return tx.db.user.findUniqueOrThrow({ where: { id }, select: USER_ROW_SELECT });
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.reseller_saved"),
    user: toUserRow(user, await countSitesAndFactors(ctx, [user])),
  };
}

/** Ends sign-ins, the password link and support access, because the new reseller's rules apply. */
async function endAccessAndNotify(tx: Context<UserActor>, id: number): Promise<void> {
  await endSignIns(tx, id);
  await voidPasswordResetLink(tx, id);
  await tx.db.supportAccess.deleteMany({ where: { userId: id } });
  await notifyOwner(tx, id, "reseller_changed", { path: "/sign-in" });
}

async function requireActiveReseller({ db }: Context, id: number): Promise<void> {
  const resellerCount = await db.user.count({
    where: { id, role: "reseller", isActive: true, anonymisedAt: null },
  });
  if (resellerCount === 0) throw invalidField("reseller_id", "in");
}
