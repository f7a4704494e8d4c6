import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import type { AuditAction } from "@/server/core/domain";
import { createError, createInaccessibleError, invalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { lockSiteAgainstDeletion } from "@/server/domains/sites/sites/service/manageable";
import { revokeAccessOfDeactivated } from "@/server/domains/tenancy/customers/service/revoke-access";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { type getTeam, TEAM_LIST_MAX, type updateMember } from "../contract";
import { INVITATION_SELECT, toInvitation, toMember } from "../dto";
import { isMemberHeld } from "../policy";
import { type LockedMember, listMembers, lockMember, type Owner } from "../statements";
import { lockCallerAsOwner, requireGrantableModules, requireTeamSite } from "./owner";

export async function listTeam(ctx: Context<UserActor>): Promise<Output<typeof getTeam>> {
  const { id: ownerId, scope } = ctx.actor;
  if (scope.isAgent) throw createError("forbidden");
  const [rows, invitations] = await Promise.all([
    listMembers(ctx, { ownerId, id: null }),
    ctx.db.invitation.findMany({
      where: { inviterId: ownerId, acceptedAt: null },
      orderBy: { id: "desc" },
      take: TEAM_LIST_MAX,
      select: INVITATION_SELECT,
    }),
  ]);
  const members = rows.map((row) => toMember(row, ctx.actor));
  return {
    success: true,
    members,
    data: members,
    count: members.length,
    invitations: invitations.map(toInvitation),
  };
}

type MemberUpdateBody = Input<typeof updateMember>["body"];

export async function updateTeamMember(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof updateMember>,
): Promise<Output<typeof updateMember>> {
  const output = await withTransaction(ctx, async (tx) => {
    // Accounts are locked in the order of their IDs. `lockCallerAsOwner` follows, so lock a lower ID first.
    if (params.id < ctx.actor.id) await lockMember(tx, { id: params.id, ownerId: ctx.actor.id });
    const owner = await lockCallerAsOwner(tx);
    // The deletion of a site locks the site before its agents.
    if (body.site_id) await lockSiteAgainstDeletion(tx, body.site_id);
    const [before] = await lockMember(tx, { id: params.id, ownerId: owner.id });
    if (!before) return undefined;
    const after = await mergeMemberChange(tx, { owner, before, body });
    if (after.isActive && !before.isActive && isMemberHeld(owner, before)) throw createError("member_held");
    rejectStaleChange(body.expected, { current: pickSettings(before), requested: pickSettings(after) });
    const { isActive, assignedSiteId, allowedModules } = after;
    const changes = {
      isActive,
      ...(isActive !== before.isActive && { deactivatedBy: isActive ? null : ctx.actor.role }),
      assignedSiteId,
      allowedModules: allowedModules ?? Prisma.DbNull,
    };
    await updateUser(tx, { id: before.id }, changes);
    if (!after.isActive) await revokeAccessOfDeactivated(tx, before.id);
    await auditMemberChanges(tx, before, after);
    const [row] = await listMembers(tx, { ownerId: owner.id, id: before.id });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.member_saved"),
      member: toMember(row!, owner),
    };
  });
  if (output) return output;
  const where = { id: params.id, anonymisedAt: null };
  throw createInaccessibleError(
    await ctx.db.user.findUnique({ where, select: { id: true } }),
    "User",
    params.id,
  );
}

function pickSettings({ assignedSiteId: site_id, allowedModules: allowed_modules }: LockedMember) {
  return { site_id, allowed_modules };
}

async function mergeMemberChange(
  dbAccess: Pick<DbAccess, "db">,
  { owner, before, body }: { owner: Owner; before: LockedMember; body: MemberUpdateBody },
): Promise<LockedMember> {
  const { site_id: siteId, is_active: isActive, allowed_modules: modules } = body;
  if (siteId && !before.isAgentOnly) throw invalidField("site_id", "agents_only");
  if (siteId && siteId !== before.assignedSiteId) await requireTeamSite(dbAccess, owner.id, siteId);
  return {
    ...before,
    isActive: isActive ?? before.isActive,
    assignedSiteId: siteId ?? before.assignedSiteId,
    allowedModules: modules === undefined ? before.allowedModules : requireGrantableModules(modules, owner),
  };
}

async function auditMemberChanges(
  tx: Context<UserActor>,
  before: LockedMember,
  after: LockedMember,
): Promise<void> {
  const object = { type: "User" as const, id: before.id };
  const writeAudit = (action: AuditAction, details?: Record<string, string | number | null>) =>
    audit(tx, { action, object, details });
  if (before.isActive !== after.isActive)
    await writeAudit(after.isActive ? "team.member_reactivated" : "team.member_deactivated");
  if (before.assignedSiteId !== after.assignedSiteId)
    await writeAudit("team.member_moved", { from: before.assignedSiteId, to: after.assignedSiteId });
  if (String(before.allowedModules) !== String(after.allowedModules))
    await writeAudit("team.member_modules_changed", { modules: after.allowedModules?.join(" ") ?? null });
}
