import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { invalid, outOfReach, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { type AuditAction, audit } from "@/server/domains/audit/service";
import { revokeAll } from "@/server/domains/tokens/service/tokens";
import { Fragment } from "@/server/infrastructure/database/sql";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { type getTeam, LIST_MAX, type updateMember } from "../contract";
import { type InvitationRow, invitationOf, type MemberRow, memberOf } from "../dto";
import { lockOwner, type Owner, requireModules, requireSite } from "./owner";

const MEMBER = new Fragment(`
  u.id, u.name, u.email, u.is_active, u.is_agent_only, u.allowed_modules, u.created_at,
  s.id as site_id, s.name as site_name, s.domain as site_domain,
  exists (select from factors where user_id = u.id and confirmed_at is not null) as two_factor,
  greatest((select max(last_used_at) from access_tokens where user_id = u.id),
           (select max(at) from audit_events where actor_id = u.id and action = 'sign_in.succeeded')) as last_seen_at`);

/** The caller's team, newest first; throws `forbidden` for an agent. */
export async function list({ actor, sql }: Context<UserActor>): Promise<Answer<typeof getTeam>> {
  if (actor.scope.isAgent) throw refuse("forbidden");
  const [rows, open] = await Promise.all([
    sql<MemberRow>`
      select ${MEMBER} from users u left join sites s on s.id = u.assigned_site_id
       where u.parent_user_id = ${actor.id} and u.anonymised_at is null order by u.id desc limit ${LIST_MAX}`,
    sql<InvitationRow>`
      select i.id, i.name, i.email, i.allowed_modules, i.created_at, i.expires_at,
             s.id as site_id, s.name as site_name, s.domain as site_domain
        from invitations i left join sites s on s.id = i.site_id
       where i.inviter_id = ${actor.id} and i.accepted_at is null order by i.id desc limit ${LIST_MAX}`,
  ]);
  const members = rows.map(memberOf);
  return {
    success: true,
    members,
    data: members,
    count: members.length,
    invitations: open.map(invitationOf),
  };
}

type Body = Input<typeof updateMember>["body"];
interface Before {
  id: number;
  is_active: boolean;
  is_agent_only: boolean;
  assigned_site_id: number | null;
  allowed_modules: string[] | null;
}

/** Changes a member of the caller's team, all of it or nothing. */
export async function update(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof updateMember>,
): Promise<Answer<typeof updateMember>> {
  const answer = await withTransaction(ctx, async (tx) => {
    const owner = await lockOwner(tx, ctx.actor.id);
    const [before] = await tx.sql<Before>`
      select id, is_active, is_agent_only, assigned_site_id, allowed_modules from users
       where id = ${params.id} and parent_user_id = ${owner.id} and anonymised_at is null for update`;
    if (!before) return undefined;
    const after = await changed(tx, { owner, before, body });
    await tx.sql`
      update users
         set is_active = ${after.is_active}, assigned_site_id = ${after.assigned_site_id},
             allowed_modules = ${after.allowed_modules && JSON.stringify(after.allowed_modules)}::jsonb, updated_at = now()
       where id = ${before.id}`;
    if (!after.is_active) await shutOut(tx, before.id);
    await note(tx, before, after);
    const [row] = await tx.sql<MemberRow>`
      select ${MEMBER} from users u left join sites s on s.id = u.assigned_site_id where u.id = ${before.id}`;
    return {
      success: true as const,
      message: text(ctx.locale, "answers.member_saved"),
      member: memberOf(row!),
    };
  });
  if (answer) return answer;
  const where = { id: params.id, anonymisedAt: null };
  throw outOfReach(await ctx.db.user.findUnique({ where, select: { id: true } }), "User", params.id);
}

async function changed(
  { sql }: Pick<Work, "sql">,
  { owner, before, body }: { owner: Owner; before: Before; body: Body },
): Promise<Before> {
  const { site_id, is_active, allowed_modules } = body;
  if (site_id && !before.is_agent_only) throw invalid("site_id", "agents_only");
  if (site_id && site_id !== before.assigned_site_id) await requireSite({ sql }, owner.id, site_id);
  return {
    ...before,
    is_active: is_active ?? before.is_active,
    assigned_site_id: site_id ?? before.assigned_site_id,
    allowed_modules:
      allowed_modules === undefined ? before.allowed_modules : requireModules(allowed_modules, owner),
  };
}

/** Whoever is deactivated is out at once, everywhere, and lets nobody else in. */
async function shutOut(tx: Work, userId: number): Promise<void> {
  await revokeAll(tx, userId);
  await tx.sql`delete from password_resets where user_id = ${userId}`;
  await tx.sql`delete from invitations where inviter_id = ${userId} and accepted_at is null`;
}

async function note(tx: Context<UserActor>, before: Before, after: Before): Promise<void> {
  const object = { type: "User" as const, id: before.id };
  const write = (action: AuditAction, details?: Record<string, string | number | null>) =>
    audit(tx, { action, object, details });
  if (before.is_active !== after.is_active)
    await write(after.is_active ? "team.member_reactivated" : "team.member_deactivated");
  if (before.assigned_site_id !== after.assigned_site_id)
    await write("team.member_moved", { from: before.assigned_site_id, to: after.assigned_site_id });
  if (String(before.allowed_modules) !== String(after.allowed_modules))
    await write("team.member_modules_changed", { modules: after.allowed_modules?.join(" ") ?? null });
}
