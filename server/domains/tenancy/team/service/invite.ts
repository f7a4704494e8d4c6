import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import {
  countedInvalidField,
  createError,
  createInaccessibleError,
  createNotFoundError,
  invalidField,
} from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow } from "@/server/core/time";
import { refuseSpamAddress } from "@/server/domains/access/registration/service/refuse-spam-address";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { isEmailTaken } from "@/server/domains/accounts/users/service/find";
import { lockSiteAgainstDeletion } from "@/server/domains/sites/sites/service/manageable";
import { INVITATION_MAIL_LIMIT } from "@/server/domains/tenancy/customers/service/mail-limit";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import {
  consumePointOrThrow,
  type RateLimitCounter,
  toIpBucket,
} from "@/server/infrastructure/rate-limit/limiter";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import {
  type cancelInvitation,
  INVITATION_DAYS,
  type Invitation,
  type inviteMember,
  type resendInvitation,
} from "../contract";
import { INVITATION_SELECT, toInvitation } from "../dto";
import { canInvite } from "../policy";
import type { Owner } from "../statements";
import { lockCallerAsOwner, requireGrantableModules, requireTeamSite } from "./owner";

/** Limit per network, because responses reveal whether an address has an account. */
const INVITE_NETWORK_LIMIT: RateLimitCounter = { name: "invite_ip", points: 20, per: 3600, durable: true };

/**
 * Checks whether the address is taken after all other checks except the mail limit, so that bad input does
 * not reveal accounts.
 */
export async function inviteTeamMember(
  ctx: Context<UserActor>,
  { body }: Input<typeof inviteMember>,
): Promise<Output<typeof inviteMember>> {
  if (ctx.actor.scope.isAgent) throw createError("forbidden");
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  // Runs outside the transaction: it waits for the limiter and DNS, and a burst of calls would hold database
  // connections. Its locks end with each statement, so the transaction checks again.
  const runPrechecks = async () => {
    await consumePointOrThrow(INVITE_NETWORK_LIMIT, toIpBucket(ctx.ip));
    const { owner } = await lockOwnerAndSite(ctx, body);
    await refuseSpamAddress(body);
    // Consume the recipient's limit last, so that it counts only invitations that are mailed.
    await requireInvitableAddress(ctx, owner, body.email);
    await consumePointOrThrow(INVITATION_MAIL_LIMIT, toEmailKey(body.email));
  };
  const createInvitation = async (tx: Context<UserActor>) => {
    const { owner, siteId, modules } = await lockOwnerAndSite(tx, body);
    await requireInvitableAddress(tx, owner, body.email);

    const token = createToken("dsj");
    const { id } = await tx.db.invitation.create({
      data: {
        inviterId: owner.id,
        name: body.name,
        email: body.email,
        emailKey: toEmailKey(body.email),
        siteId,
        allowedModules: modules ?? Prisma.DbNull,
        tokenHash: hashSecret(token),
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
  return withIdempotency(ctx, createInvitation, { precheck: runPrechecks });
}

async function lockOwnerAndSite(ctx: Context<UserActor>, body: Input<typeof inviteMember>["body"]) {
  const owner = await lockCallerAsOwner(ctx);
  const siteId = body.site_id ?? null;
  if (!canInvite(owner, { siteId })) throw createError("forbidden");
  if (siteId !== null) {
    await lockSiteAgainstDeletion(ctx, siteId);
    await requireTeamSite(ctx, owner.id, siteId);
  }
  return { owner, siteId, modules: requireGrantableModules(body.allowed_modules ?? null, owner) };
}

/** Mails a pending or expired invitation with a new link; the previous link stops working. */
export async function resendTeamInvitation(
  ctx: Context<UserActor>,
  { params }: Input<typeof resendInvitation>,
): Promise<Output<typeof resendInvitation>> {
  if (ctx.actor.scope.isAgent) throw createError("forbidden");
  const invitation = await ctx.db.invitation.findFirst({
    where: { id: params.id, inviterId: ctx.actor.id, acceptedAt: null },
    select: { emailKey: true },
  });
  if (!invitation) throw await createInaccessibleInvitationError(ctx, params.id);
  await consumePointOrThrow(INVITATION_MAIL_LIMIT, invitation.emailKey);
  return withTransaction(ctx, async (tx) => {
    const owner = await lockCallerAsOwner(tx);
    const token = createToken("dsj");
    const renewal = await tx.db.invitation.updateMany({
      where: { id: params.id, inviterId: owner.id, acceptedAt: null },
      data: { tokenHash: hashSecret(token), expiresAt: fromNow(INVITATION_DAYS * DAY) },
    });
    // Accepted or cancelled since the query above: 404.
    if (renewal.count === 0) throw createNotFoundError("Invitation", params.id);
    await audit(tx, { action: "team.invitation_resent", object: { type: "Invitation", id: params.id } });
    return mailInvitation(tx, { owner, id: params.id, token });
  });
}

export async function cancelTeamInvitation(
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
  if (!isCancelled) throw await createInaccessibleInvitationError(ctx, params.id);
  return { success: true, message: formatText(ctx.locale, "responses.invitation_cancelled") };
}

async function createInaccessibleInvitationError({ db }: Context<UserActor>, id: number) {
  const foreignInvitation = await db.invitation.findUnique({
    where: { id, acceptedAt: null },
    select: { id: true },
  });
  return createInaccessibleError(foreignInvitation, "Invitation", id);
}

async function requireInvitableAddress(dbAccess: DbAccess, owner: Owner, email: string): Promise<void> {
  const addressKey = toEmailKey(email);
  const pendingInvitation = await dbAccess.db.invitation.findFirst({
    where: { inviterId: owner.id, emailKey: addressKey, acceptedAt: null },
    select: { id: true },
  });
  if (pendingInvitation) throw invalidField("email", "invited_already");
  if (await isEmailTaken(dbAccess, { email, requesterId: owner.id }))
    throw countedInvalidField("email", "invitee_has_account");
}

async function mailInvitation(
  tx: Context<UserActor>,
  { owner, id, token }: { owner: Owner; id: number; token: string },
): Promise<{ success: true; message: string; invitation: Invitation }> {
  const row = await tx.db.invitation.findUniqueOrThrow({ where: { id }, select: INVITATION_SELECT });
  const invitation = toInvitation(row);
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
  return { success: true, message: formatText(tx.locale, "responses.invitation_sent"), invitation };
}
