import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, invalidCounted, outOfReach, refuse } from "@/server/core/errors";
import { storedPhone } from "@/server/core/phone";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { guardSignUp } from "@/server/domains/access/registration/service";
import { audit } from "@/server/domains/accounts/audit/service";
import { once } from "@/server/domains/accounts/idempotency/service";
import { requireReseller } from "@/server/domains/accounts/portal-lock/service";
import { withOwnAccount } from "@/server/domains/accounts/proof/service/own-account";
import { isAddressTaken } from "@/server/domains/accounts/users/service/find";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { addressBucket, type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import type {
  cancelCustomerInvitation,
  inviteCustomer,
  listCustomerInvitations,
  resendCustomerInvitation,
} from "../contract";
import { INVITATION_DAYS } from "../policy";

/** Invitations from one network address, whichever account sends them, because responses reveal accounts. */
const PER_NETWORK: Counter = { name: "invite_customer_ip", points: 60, per: 3600, durable: true };
/** Mails to one person, from all resellers together. */
const PER_PERSON: Counter = { name: "invite_mail", points: 3, per: 3600, durable: true };

const INVITED = { id: true, name: true, email: true, phone: true, createdAt: true, expiresAt: true } as const;
type Row = {
  id: number;
  name: string;
  email: string;
  phone: string | null;
  createdAt: Date;
  expiresAt: Date;
};

const invitedOf = ({ createdAt, expiresAt, ...row }: Row) => ({
  ...row,
  created_at: isoMicros(createdAt),
  expires_at: isoMicros(expiresAt),
  expired: expiresAt.getTime() <= Date.now(),
});

export async function listInvitations(
  ctx: Context<UserActor>,
): Promise<Output<typeof listCustomerInvitations>> {
  await requireReseller(ctx);
  const rows = await ctx.db.customerInvitation.findMany({
    where: { resellerId: ctx.actor.id, acceptedAt: null },
    orderBy: { id: "desc" },
    select: INVITED,
  });
  return { success: true, invitations: rows.map(invitedOf) };
}

/** Invites somebody by mail. Whether the address has an account is checked last, as at registration. */
export async function invite(
  ctx: Context<UserActor>,
  { body }: Input<typeof inviteCustomer>,
): Promise<Output<typeof inviteCustomer>> {
  await requireReseller(ctx);
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  const { name, email } = body;
  const key = emailKey(email);
  const first = async () => {
    await requirePoint(PER_NETWORK, addressBucket(ctx.ip));
    await guardSignUp(body);
    await requirePoint(PER_PERSON, key);
  };
  const work = async (tx: Context<UserActor>) => {
    const { id: resellerId } = tx.actor;
    await lockUser(tx, resellerId);
    const waiting = { resellerId, emailKey: key, acceptedAt: null };
    if (await tx.db.customerInvitation.count({ where: waiting })) throw invalid("email", "invited_already");
    if (await isAddressTaken(tx, { email, by: resellerId }))
      throw invalidCounted("email", "invitee_has_account");
    const token = newToken("dsb");
    const row = await tx.db.customerInvitation.create({
      data: {
        resellerId,
        name,
        email,
        emailKey: key,
        phone: body.phone ? storedPhone(body.phone) : null,
        tokenHash: digest(token),
        expiresAt: fromNow(INVITATION_DAYS * DAY),
      },
      select: INVITED,
    });
    await audit(tx, { action: "customer.invited", object: { type: "CustomerInvitation", id: row.id } });
    return mailed(tx, row, token);
  };
  return once(ctx, work, { first });
}

/** Mails an open or an expired invitation again; the previous link is void. */
export async function resend(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof resendCustomerInvitation>,
): Promise<Output<typeof resendCustomerInvitation>> {
  await requireReseller(ctx);
  const open = { id, resellerId: ctx.actor.id, acceptedAt: null };
  const known = await ctx.db.customerInvitation.findFirst({ where: open, select: { emailKey: true } });
  if (!known) throw await missing(ctx, id);
  await requirePoint(PER_PERSON, known.emailKey);
  return withOwnAccount(ctx, async (tx) => {
    const token = newToken("dsb");
    const [row] = await tx.db.customerInvitation.updateManyAndReturn({
      where: open,
      data: { tokenHash: digest(token), expiresAt: fromNow(INVITATION_DAYS * DAY) },
      select: INVITED,
    });
    if (!row) throw outOfReach(undefined, "CustomerInvitation", id);
    await audit(tx, { action: "customer.invitation_resent", object: { type: "CustomerInvitation", id } });
    return mailed(tx, row, token);
  });
}

/** Cancels an invitation; its link is void. */
export async function cancel(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof cancelCustomerInvitation>,
): Promise<Output<typeof cancelCustomerInvitation>> {
  await requireReseller(ctx);
  const gone = await withOwnAccount(ctx, async (tx) => {
    const open = { id, resellerId: tx.actor.id, acceptedAt: null };
    const { count } = await tx.db.customerInvitation.deleteMany({ where: open });
    if (count > 0)
      await audit(tx, {
        action: "customer.invitation_cancelled",
        object: { type: "CustomerInvitation", id },
      });
    return count > 0;
  });
  if (!gone) throw await missing(ctx, id);
  return { success: true, message: text(ctx.locale, "responses.invitation_cancelled") };
}

async function missing({ db }: Context<UserActor>, id: number) {
  const where = { id, acceptedAt: null };
  return outOfReach(
    await db.customerInvitation.findUnique({ where, select: { id: true } }),
    "CustomerInvitation",
    id,
  );
}

async function mailed(tx: Context<UserActor>, row: Row, token: string) {
  const { name } = await tx.db.user.findUniqueOrThrow({ where: { id: tx.actor.id }, select: { name: true } });
  await queueMail(
    tx,
    { userId: null, address: row.email, brandOf: tx.actor.id },
    {
      template: "customer_invitation",
      locale: tx.locale,
      params: { name: row.name, inviter: name, days: INVITATION_DAYS },
      path: `/accept-invitation?token=${token}`,
      provesAddress: true,
    },
  );
  return {
    success: true as const,
    message: text(tx.locale, "responses.invitation_sent"),
    invitation: invitedOf(row),
  };
}
