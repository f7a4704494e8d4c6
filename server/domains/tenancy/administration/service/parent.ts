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
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { setUserParent } from "../contract";
import { countSitesAndFactors, toUserRow, USER_ROW_SELECT } from "../dto";
import {
  hasParentOrReseller,
  inAdministratorTransaction,
  listAccountAndMemberIds,
  lockTarget,
} from "./target-account";

export const POSSIBLE_PARENT = {
  role: { in: ["user", "reseller"] },
  isActive: true,
  isAgentOnly: false,
  parentUserId: null,
  anonymisedAt: null,
} satisfies Prisma.UserWhereInput;

/** Teams are one level deep. The administrators' lock prevents cycles between concurrent calls. */
export async function setParent(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof setUserParent>,
): Promise<Output<typeof setUserParent>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { parent_user_id: parentId, reason } = body;
  const user = await inAdministratorTransaction(ctx, await listAccountAndMemberIds(ctx, id), async (tx) => {
    const target = await lockTarget(tx, id);
    if (target.role !== "user" || target.isAgentOnly) throw createError("no_member");
    const current = { parent_user_id: target.parentUserId };
    rejectStaleChange(body.expected, { current, requested: { parent_user_id: parentId } });
    if (parentId !== target.parentUserId) {
      // An unverified account may have been opened by a stranger, whose API keys would survive.
      if (parentId !== null && !target.emailVerifiedAt) throw createError("member_unverified");
      if (parentId !== null) await requireValidParent(tx, id, parentId);
      // Members have no reseller of their own: the parent's applies.
      await updateUser(tx, { id }, { parentUserId: parentId, resellerId: null });
      await endSignIns(tx, id);
      await voidPasswordResetLink(tx, id);
      await tx.db.supportAccess.deleteMany({ where: { userId: id } });
      if (hasParentOrReseller(target)) await revokeFormerAccess(tx, id);
      await notifyOwner(tx, id, "parent_changed", { path: "/sign-in" });
      const details = { before: target.parentUserId, after: parentId, reason };
      await audit(tx, { action: "account.parent_changed", object: { type: "User", id }, details });
    }
    return tx.db.user.findUniqueOrThrow({ where: { id }, select: USER_ROW_SELECT });
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.parent_saved"),
    user: toUserRow(user, await countSitesAndFactors(ctx, [user])),
  };
}

async function requireValidParent({ db }: Context, id: number, parentId: number): Promise<void> {
  const memberCount = await db.user.count({
    where: { parentUserId: id, isAgentOnly: false, anonymisedAt: null },
  });
  if (memberCount > 0) throw createError("has_members");
  const parentCount = await db.user.count({
    where: { AND: [POSSIBLE_PARENT, { id: parentId }, { id: { not: id } }] },
  });
  if (parentCount === 0) throw invalidField("parent_user_id", "in");
}
