import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { invalid, outOfReach, refuse, invalidCounted } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { DAY, fromNow } from "@/server/core/time";
import { isHeld } from "@/server/domains/account/service/email";
import { audit } from "@/server/domains/audit/service";
import { guardSignUp } from "@/server/domains/registration/service";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { addressBucket, type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import {
  type cancelInvitation,
  INVITATION_DAYS,
  type Invitation,
  type inviteMember,
  type resendInvitation,
} from "../contract";
import { type InvitationRow, invitationOf } from "../dto";
import { mayInvite } from "../policy";
import { lockOwner, type Owner, requireModules, requireSite } from "./owner";

/** Invitations from one address of the network, whoever signs in there: their answers tell of accounts. */
const PER_NETWORK: Counter = { name: "invite_ip", points: 20, per: 3600, durable: true };
/** Mails to one person, whoever invites. */
const PER_PERSON: Counter = { name: "invite_mail", points: 3, per: 3600, durable: true };

type Tx = Context<UserActor>;

/**
 * Invites somebody by mail. Whether the address has an account is the last thing said, as at registration. Throws
 * `email_needs_verification` for a caller who could be anybody.
 */
export async function invite(
  ctx: Context<UserActor>,
  { body }: Input<typeof inviteMember>,
): Promise<Answer<typeof inviteMember>> {
  if (ctx.actor.scope.isAgent) throw refuse("forbidden");
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  await requirePoint(PER_NETWORK, addressBucket(ctx.ip));
  await check(ctx, body);
  await guardSignUp(body);
  // Counted outside the transaction: a burst must not hold every connection while it waits for one more.
  await requirePoint(PER_PERSON, emailKey(body.email));
  return withTransaction(ctx, async (tx) => {
    const { owner, siteId, modules } = await check(tx, body);
    await requireFree(tx, owner, body.email);

    const token = newToken("dsj");
    const [row] = await tx.sql<{ id: number }>`
      insert into invitations (inviter_id, name, email, email_key, site_id, allowed_modules, token_hash, expires_at)
      values (${owner.id}, ${body.name}, ${body.email}, ${emailKey(body.email)}, ${siteId},
              ${modules && JSON.stringify(modules)}::jsonb, ${digest(token)}, ${fromNow(INVITATION_DAYS * DAY)})
      returning id`;
    await audit(tx, {
      action: "team.invited",
      object: { type: "Invitation", id: row!.id },
      details: { site: siteId },
    });
    return mailed(tx, { owner, id: row!.id, token });
  });
}

/** What the caller may give away. */
async function check(
  { sql, actor }: Pick<Context<UserActor>, "sql" | "actor">,
  body: Input<typeof inviteMember>["body"],
) {
  const owner = await lockOwner({ sql }, actor.id);
  const siteId = body.site_id ?? null;
  if (!mayInvite(owner, { siteId })) throw refuse("forbidden");
  if (siteId !== null) await requireSite({ sql }, owner.id, siteId);
  return { owner, siteId, modules: requireModules(body.allowed_modules ?? null, owner) };
}

/** Mails an open or an expired invitation again; the link before it is dead from now on. */
export async function resend(
  ctx: Context<UserActor>,
  { params }: Input<typeof resendInvitation>,
): Promise<Answer<typeof resendInvitation>> {
  if (ctx.actor.scope.isAgent) throw refuse("forbidden");
  const [known] = await ctx.sql<{ email_key: string }>`
    select email_key from invitations where id = ${params.id} and inviter_id = ${ctx.actor.id} and accepted_at is null`;
  if (!known) throw await missing(ctx, params.id);
  await requirePoint(PER_PERSON, known.email_key);
  return withTransaction(ctx, async (tx) => {
    const owner = await lockOwner(tx, ctx.actor.id);
    const token = newToken("dsj");
    const renewed = await tx.sql`
      update invitations set token_hash = ${digest(token)}, expires_at = ${fromNow(INVITATION_DAYS * DAY)}
       where id = ${params.id} and inviter_id = ${owner.id} and accepted_at is null returning id`;
    if (renewed.length === 0) throw outOfReach(undefined, "Invitation", params.id);
    await audit(tx, { action: "team.invitation_resent", object: { type: "Invitation", id: params.id } });
    return mailed(tx, { owner, id: params.id, token });
  });
}

/** Takes an invitation back; its link is dead from now on. */
export async function cancel(
  ctx: Context<UserActor>,
  { params }: Input<typeof cancelInvitation>,
): Promise<Answer<typeof cancelInvitation>> {
  const gone = await withTransaction(ctx, async (tx) => {
    const rows = await tx.sql`
      delete from invitations where id = ${params.id} and inviter_id = ${ctx.actor.id} and accepted_at is null returning id`;
    if (rows.length > 0)
      await audit(tx, { action: "team.invitation_cancelled", object: { type: "Invitation", id: params.id } });
    return rows.length > 0;
  });
  if (!gone) throw await missing(ctx, params.id);
  return { success: true, message: text(ctx.locale, "answers.invitation_cancelled") };
}

async function missing({ db }: Context<UserActor>, id: number) {
  const others = await db.invitation.findUnique({ where: { id, acceptedAt: null }, select: { id: true } });
  return outOfReach(others, "Invitation", id);
}

async function requireFree({ db, sql }: Work, owner: Owner, email: string): Promise<void> {
  const key = emailKey(email);
  const waiting = await sql`
    select 1 from invitations where inviter_id = ${owner.id} and email_key = ${key} and accepted_at is null`;
  if (waiting.length > 0) throw invalid("email", "invited_already");
  const taken = await sql`select 1 from users where email_key = ${key}`;
  if (taken.length > 0 || (await isHeld({ db }, { email, by: owner.id })))
    throw invalidCounted("email", "invitee_has_account");
}

async function mailed(
  tx: Tx,
  { owner, id, token }: { owner: Owner; id: number; token: string },
): Promise<{ success: true; message: string; invitation: Invitation }> {
  const [row] = await tx.sql<InvitationRow>`
    select i.id, i.name, i.email, i.allowed_modules, i.created_at, i.expires_at,
           s.id as site_id, s.name as site_name, s.domain as site_domain
      from invitations i left join sites s on s.id = i.site_id where i.id = ${id}`;
  const invitation = invitationOf(row!);
  await queueMail(
    tx,
    { userId: null, address: invitation.email, inviterId: owner.id },
    {
      template: invitation.site ? "agent_invitation" : "sub_user_invitation",
      locale: tx.locale,
      params: {
        name: invitation.name,
        inviter: owner.name,
        days: INVITATION_DAYS,
        ...(invitation.site && { site: invitation.site.name }),
      },
      path: `/accept-invitation?token=${token}`,
    },
  );
  return { success: true, message: text(tx.locale, "answers.invitation_sent"), invitation };
}
