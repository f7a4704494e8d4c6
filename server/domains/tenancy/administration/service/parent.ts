import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { endReset } from "@/server/domains/access/sign-in/service/forgot";
import { endSignIns } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { endReachFromAbove } from "@/server/domains/tenancy/team/service/release";
import type { setUserParent } from "../contract";
import { countsOf, ROW, userRow } from "../dto";
import { asAdministrator, familyOf, hasAbove, lockTarget } from "./target";

/**
 * Sets or removes the parent. A parent has no parent and a child has no children; under the administrators'
 * lock, concurrent calls cannot form a cycle.
 */
export async function setParent(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof setUserParent>,
): Promise<Output<typeof setUserParent>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { parent_user_id: wanted, reason } = body;
  const user = await asAdministrator(ctx, await familyOf(ctx, id), async (tx) => {
    const target = await lockTarget(tx, id);
    if (target.role !== "user" || target.isAgentOnly) throw refuse("no_member");
    const current = { parent_user_id: target.parentUserId };
    requireExpected(body.expected, { current, wanted: { parent_user_id: wanted } });
    if (wanted !== target.parentUserId) {
      // An unverified address may belong to someone else, whose API keys would survive.
      if (wanted !== null && !target.emailVerifiedAt) throw refuse("member_unverified");
      if (wanted !== null) await requireRoom(tx, id, wanted);
      // A member has the parent's reseller.
      await updateUser(tx, { id }, { parentUserId: wanted, resellerId: null });
      await endSignIns(tx, id);
      await endReset(tx, id);
      await tx.db.supportAccess.deleteMany({ where: { userId: id } });
      if (hasAbove(target)) await endReachFromAbove(tx, id);
      await notifyOwner(tx, id, "parent_changed", { path: "/sign-in" });
      const details = { before: target.parentUserId, after: wanted, reason };
      await audit(tx, { action: "account.parent_changed", object: { type: "User", id }, details });
    }
    return tx.db.user.findUniqueOrThrow({ where: { id }, select: ROW });
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.parent_saved"),
    user: userRow(user, await countsOf(ctx, [user])),
  };
}

async function requireRoom({ db }: Context, id: number, wanted: number): Promise<void> {
  const members = await db.user.count({
    where: { parentUserId: id, isAgentOnly: false, anonymisedAt: null },
  });
  if (members > 0) throw refuse("has_members");
  const above = await db.user.count({
    where: {
      AND: [{ id: wanted }, { id: { not: id } }],
      role: { in: ["user", "reseller"] },
      isActive: true,
      isAgentOnly: false,
      parentUserId: null,
      anonymisedAt: null,
    },
  });
  if (above === 0) throw invalid("parent_user_id", "in");
}
