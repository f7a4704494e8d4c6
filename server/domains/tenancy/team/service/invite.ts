import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, invalid, invalidCounted, refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { DAY, fromNow } from "@/server/core/time";
import { guardSignUp } from "@/server/domains/access/registration/service/guard";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { isAddressTaken } from "@/server/domains/accounts/users/service/find";
import { holdSite } from "@/server/domains/sites/sites/service/manageable";
import { PER_PERSON } from "@/server/domains/tenancy/customers/service/mail-limit";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
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
import { INVITATION, invitationOf } from "../dto";
import { canInvite } from "../policy";
import type { Owner } from "../statements";
import { lockOwner, requireModules, requireSite } from "./owner";

/** Limit per network, because responses reveal whether an address has an account. */
const PER_NETWORK: Counter = { name: "invite_ip", points: 20, per: 3600, durable: true };

/** Reveals a taken address only after every other check. Throws `email_needs_verification`. */
export async function invite(
  ctx: Context<UserActor>,
  { body }: Input<typeof inviteMember>,
): Promise<Output<typeof inviteMember>> {
  if (ctx.actor.scope.isAgent) throw refuse("forbidden");
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  // Runs outside the transaction: a burst must not hold all connections while waiting for another.
  const first = async () => {
    await requirePoint(PER_NETWORK, addressBucket(ctx.ip));
    const { owner } = await checkInput(ctx, body);
    await guardSignUp(body);
    // Without a mail, the recipient's limit is not used.
    await requireFree(ctx, owner, body.email);
    await requirePoint(PER_PERSON, emailKey(body.email));
  };
  const work = async (tx: Context<UserActor>) => {
    const { owner, siteId, modules } = await checkInput(tx, body);
    await requireFree(tx, owner, body.email);

    const token = newToken("dsj");
    const { id } = await tx.db.invitation.create({
      data: {
        inviterId: owner.id,
        name: body.name,
        email: body.email,
        emailKey: emailKey(body.email),
        siteId,
        allowedModules: modules ?? Prisma.DbNull,
        tokenHash: digest(token),
        expiresAt: fromNow(INVITATION_DAYS * DAY),
      },
      select: { id: true },
    });
    await audit(tx, {
      action: "team.invited",
      object: { type: "Invitation", id },
      details: { site: siteId },
    });
    await recordAddition(tx, owner.id, { kind: "invitation", name: body.email });
    return mailInvitation(tx, { owner, id, token });
  };
  return withIdempotency(ctx, work, { precheck: first });
}

async function checkInput(ctx: Context<UserActor>, body: Input<typeof inviteMember>["body"]) {
  const owner = await lockOwner(ctx);
  const siteId = body.site_id ?? null;
  if (!canInvite(owner, { siteId })) throw refuse("forbidden");
  if (siteId !== null) {
    await holdSite(ctx, siteId);
    await requireSite(ctx, owner.id, siteId);
  }
  return { owner, siteId, modules: requireModules(body.allowed_modules ?? null, owner) };
}

/** Mails a pending or expired invitation with a new link; the previous link stops working. */
export async function resend(
  ctx: Context<UserActor>,
  { params }: Input<typeof resendInvitation>,
): Promise<Output<typeof resendInvitation>> {
  if (ctx.actor.scope.isAgent) throw refuse("forbidden");
  const invitation = await ctx.db.invitation.findFirst({
    where: { id: params.id, inviterId: ctx.actor.id, acceptedAt: null },
    select: { emailKey: true },
  });
  if (!invitation) throw await notFound(ctx, params.id);
  await requirePoint(PER_PERSON, invitation.emailKey);
  return withTransaction(ctx, async (tx) => {
    const owner = await lockOwner(tx);
    const token = newToken("dsj");
    const renewed = await tx.db.invitation.updateMany({
      where: { id: params.id, inviterId: owner.id, acceptedAt: null },
      data: { tokenHash: digest(token), expiresAt: fromNow(INVITATION_DAYS * DAY) },
    });
    if (renewed.count === 0) throw inaccessibleRecord(undefined, "Invitation", params.id);
    await audit(tx, { action: "team.invitation_resent", object: { type: "Invitation", id: params.id } });
    return mailInvitation(tx, { owner, id: params.id, token });
  });
}

export async function cancel(
  ctx: Context<UserActor>,
  { params }: Input<typeof cancelInvitation>,
): Promise<Output<typeof cancelInvitation>> {
  const isCancelled = await withTransaction(ctx, async (tx) => {
    const { count } = await tx.db.invitation.deleteMany({
      where: { id: params.id, inviterId: ctx.actor.id, acceptedAt: null },
    });
    if (count > 0)
      await audit(tx, { action: "team.invitation_cancelled", object: { type: "Invitation", id: params.id } });
    return count > 0;
  });
  if (!isCancelled) throw await notFound(ctx, params.id);
  return { success: true, message: text(ctx.locale, "responses.invitation_cancelled") };
}

async function notFound({ db }: Context<UserActor>, id: number) {
  const foreign = await db.invitation.findUnique({ where: { id, acceptedAt: null }, select: { id: true } });
  return inaccessibleRecord(foreign, "Invitation", id);
}

async function requireFree(work: DbAccess, owner: Owner, email: string): Promise<void> {
  const key = emailKey(email);
  const pending = await work.db.invitation.findFirst({
    where: { inviterId: owner.id, emailKey: key, acceptedAt: null },
    select: { id: true },
  });
  if (pending) throw invalid("email", "invited_already");
  if (await isAddressTaken(work, { email, by: owner.id }))
    throw invalidCounted("email", "invitee_has_account");
}

async function mailInvitation(
  tx: Context<UserActor>,
  { owner, id, token }: { owner: Owner; id: number; token: string },
): Promise<{ success: true; message: string; invitation: Invitation }> {
  const row = await tx.db.invitation.findUniqueOrThrow({ where: { id }, select: INVITATION });
  const invitation = invitationOf(row);
  await queueMail(
    tx,
    { userId: null, address: invitation.email, brandOf: owner.id },
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
      provesAddress: true,
    },
  );
  return { success: true, message: text(tx.locale, "responses.invitation_sent"), invitation };
}
