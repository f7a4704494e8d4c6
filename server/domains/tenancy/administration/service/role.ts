import type { Context, Role, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { voidPasswordResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { revokeAllAccess } from "@/server/domains/access/tokens/service/tokens";
import { endTeamRequirement } from "@/server/domains/access/two-factor/service/team-requirement";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { recordUnansweredConsents } from "@/server/domains/accounts/consents/service/record";
import { removePortal } from "@/server/domains/accounts/portals/service/portal";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { disableWebhooks } from "@/server/domains/accounts/webhooks/service/additions";
import { deleteWebhookDeliveries } from "@/server/domains/accounts/webhooks/service/delete";
import { deleteBrand } from "@/server/domains/tenancy/brands/service/brand";
import { recordPaperSignature } from "@/server/domains/tenancy/legal-texts/service/record-signature";
import {
  revokeAccessToOtherSites,
  revokeFormerAccess,
} from "@/server/domains/tenancy/team/service/revoke-former-access";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import type { setUserRole } from "../contract";
import { countSitesAndFactors, toUserRow, USER_ROW_SELECT } from "../dto";
import {
  hasParentOrReseller,
  inAdministratorTransaction,
  listAccountAndMemberIds,
  listMemberIds,
  type lockTarget,
  lockTargetAndMembers,
} from "./target-account";

/** Throws for the caller's own role, so that an administrator always remains. */
export async function setRole(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof setUserRole>,
): Promise<Output<typeof setUserRole>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { role, reason } = body;
  const isAgreementSigned = role === "reseller" && body.agreement_signed === true;
  const user = await inAdministratorTransaction(
    ctx,
    await listAccountAndMemberIds(ctx, params.id),
    async (tx) => {
      const { target } = await lockTargetAndMembers(tx, params.id);
      requireChangeableRole(tx.actor, target);
      if (toEmailKey(target.email) !== toEmailKey(body.email))
        throw invalidField("email", "not_this_account");
      if (role === "reseller" && !isAgreementSigned)
        throw invalidField("agreement_signed", "agreement_first");
      rejectStaleChange(body.expected, { current: { role: target.role }, requested: { role } });
      if (role !== target.role) {
        await changeRole(tx, { id: target.id, from: target.role, to: role });
        await notifyOwner(tx, target.id, "role_changed", { path: "/sign-in", params: { role } });
      }
      if (isAgreementSigned) await recordPaperSignature(tx, target.id);
      await audit(tx, {
        action: "role.changed",
        object: { type: "User", id: target.id },
        details: { before: target.role, after: role, reason, agreement_signed: isAgreementSigned },
      });
      return tx.db.user.findUniqueOrThrow({ where: { id: target.id }, select: USER_ROW_SELECT });
    },
  );
  return {
    success: true,
    message: formatText(ctx.locale, "responses.role_saved"),
    user: toUserRow(user, await countSitesAndFactors(ctx, [user])),
  };
}

function requireChangeableRole({ id }: UserActor, target: Awaited<ReturnType<typeof lockTarget>>): void {
  if (target.id === id) throw createError("own_role");
  if (target.isAgentOnly) throw createError("role_of_agent");
  if (!target.emailVerifiedAt) throw createError("role_unverified");
}

/** For a new reseller or administrator: a parent or reseller could manage the account and send its mails. */
const WITHOUT_PARENT_OR_RESELLER = {
  isAgentOnly: false,
  assignedSiteId: null,
  parentUserId: null,
  resellerId: null,
  allowedModules: Prisma.DbNull,
} as const;

/** Also ends sessions, keys and links of the old role. Call `lockFamily` first. */
export async function changeRole(
  tx: Context,
  { id, from, to }: { id: number; from: Role; to: Role },
): Promise<void> {
  const before = await tx.db.user.findUniqueOrThrow({
    where: { id },
    select: { parentUserId: true, resellerId: true },
  });
  await updateUser(tx, { id }, to === "user" ? { role: to } : { role: to, ...WITHOUT_PARENT_OR_RESELLER });
  if (to !== "user" && hasParentOrReseller(before)) {
    // The former parent or reseller loses access to the members' sites, too; the account keeps its own.
    const familyIds = [id, ...(await listMemberIds(tx, id))];
    for (const accountId of familyIds) await revokeFormerAccess(tx, accountId, familyIds);
  }
  await revokeAllAccess(tx, id);
  await voidPasswordResetLink(tx, id);
  if (to !== "user") await disableWebhooks(tx, id);
  // Pending deliveries were addressed to the old role.
  if (from !== "user") {
    await deleteWebhookDeliveries(tx, id);
    if (to !== "admin") await revokeAccessToOtherSites(tx, id, { keepsMembers: true });
  }
  if (from === "admin" && to !== "admin") await recordUnansweredConsents(tx, id);
  if (from !== "reseller") return;
  await removePortal(tx, id);
  await deleteBrand(tx, id);
  await endTeamRequirement(tx, id);
}
