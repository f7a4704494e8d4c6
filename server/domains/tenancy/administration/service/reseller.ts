import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { voidResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { endSignIns } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { revokeFormerAccess } from "@/server/domains/tenancy/team/service/release";
import type { setUserReseller } from "../contract";
import { countsOf, USER_ROW, userRow } from "../dto";
import { asAdministrator, familyOf, hasParentOrReseller, lockTargetAndMembers } from "./target";

/** The administrators' lock keeps the new reseller's role and status until the commit. */
export async function setReseller(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof setUserReseller>,
): Promise<Output<typeof setUserReseller>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { reseller_id: resellerId, reason } = body;
  const user = await asAdministrator(ctx, await familyOf(ctx, id), async (tx) => {
    const { target, members } = await lockTargetAndMembers(tx, id);
    if (target.role !== "user" || target.isAgentOnly || target.parentUserId !== null)
      throw refuse("no_customer");
    const current = { reseller_id: target.resellerId };
    requireExpected(body.expected, { current, wanted: { reseller_id: resellerId } });
    if (resellerId !== target.resellerId) {
      if (resellerId !== null) await requireActiveReseller(tx, resellerId);
      await updateUser(tx, { id }, { resellerId });
      const family = [id, ...members];
      for (const each of family) {
        await endFormerAccess(tx, each);
        if (hasParentOrReseller(target)) await revokeFormerAccess(tx, each, family);
      }
      const details = { before: target.resellerId, after: resellerId, reason };
      await audit(tx, { action: "account.reseller_changed", object: { type: "User", id }, details });
    }
    return tx.db.user.findUniqueOrThrow({ where: { id }, select: USER_ROW });
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.reseller_saved"),
    user: userRow(user, await countsOf(ctx, [user])),
  };
}

/** Signs the account out and revokes support access: the new reseller's rules apply. */
async function endFormerAccess(tx: Context<UserActor>, id: number): Promise<void> {
  await endSignIns(tx, id);
  await voidResetLink(tx, id);
  await tx.db.supportAccess.deleteMany({ where: { userId: id } });
  await notifyOwner(tx, id, "reseller_changed", { path: "/sign-in" });
}

async function requireActiveReseller({ db }: Context, id: number): Promise<void> {
  const resellers = await db.user.count({
    where: { id, role: "reseller", isActive: true, anonymisedAt: null },
  });
  if (resellers === 0) throw invalid("reseller_id", "in");
}
