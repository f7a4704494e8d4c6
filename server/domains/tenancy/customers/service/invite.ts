import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, invalid, invalidCounted, refuse } from "@/server/core/errors";
import { normalisePhone } from "@/server/core/phone";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { guardSignUp } from "@/server/domains/access/registration/service/guard";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { requireReseller } from "@/server/domains/accounts/portals/service/access";
import { isAddressTaken } from "@/server/domains/accounts/users/service/find";
import { lockOwnAccount, withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
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
import { releaseMail, requireMail } from "./mail-limit";

/** Limit per network, because responses reveal whether an address has an account. */
const PER_NETWORK: Counter = { name: "invite_customer_ip", points: 60, per: 3600, durable: true };

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

/** Invites a customer by mail. Reveals a taken address only after every other check has passed. */
export async function invite(
  ctx: Context<UserActor>,
  { body }: Input<typeof inviteCustomer>,
): Promise<Output<typeof inviteCustomer>> {
  await requireReseller(ctx);
  if (!ctx.actor.emailVerified) throw refuse("email_needs_verification");
  let isUnsent = false;
  // Runs outside the transaction: a burst must not hold all connections while waiting for another.
  const first = async () => {
    await requirePoint(PER_NETWORK, addressBucket(ctx.ip));
    await guardSignUp(body);
    await requireFree(ctx, body.email);
    await requireMail(body.email);
    isUnsent = true;
  };
  const work = async (tx: Context<UserActor>) => {
    await lockOwnAccount(tx);
    // Checked again under the lock.
    await requireFree(tx, body.email);
    const row = await openInvitation(tx, tx.actor.id, body);
    await recordAddition(tx, tx.actor.id, { kind: "customer_invitation", name: body.email });
    return toResponse(tx, row);
  };
  try {
    const response = await withIdempotency(ctx, work, { precheck: first });
    if (!ctx.idempotentCall?.isReplay) isUnsent = false;
    return response;
  } finally {
    if (isUnsent) await releaseMail(body.email);
  }
}

async function requireFree(ctx: Context<UserActor>, email: string): Promise<void> {
  const obstacle = await obstacleTo(ctx, ctx.actor.id, email);
  if (obstacle === "invited_already") throw invalid("email", obstacle);
  if (obstacle === "has_account") throw invalidCounted("email", "invitee_has_account");
}

/** Returns why a reseller cannot invite an address. Reliable while the reseller is locked. */
export async function obstacleTo(
  { db }: Pick<Context, "db">,
  resellerId: number,
  email: string,
): Promise<"invited_already" | "has_account" | undefined> {
  const pending = { resellerId, emailKey: emailKey(email), acceptedAt: null };
  if (await db.customerInvitation.count({ where: pending })) return "invited_already";
  return (await isAddressTaken({ db }, { email, by: resellerId })) ? "has_account" : undefined;
}

type Invitee = Input<typeof inviteCustomer>["body"];

/** Creates an invitation and mails the link. Lock the reseller and check {@link obstacleTo} first. */
export async function openInvitation(
  tx: Context,
  resellerId: number,
  { name, email, phone }: Invitee,
): Promise<Row> {
  const token = newToken("dsb");
  const row = await tx.db.customerInvitation.create({
    data: {
      resellerId,
      name,
      email,
      emailKey: emailKey(email),
      phone: phone ? normalisePhone(phone) : null,
      tokenHash: digest(token),
      expiresAt: fromNow(INVITATION_DAYS * DAY),
    },
    select: INVITED,
  });
  const object = { type: "CustomerInvitation" as const, id: row.id };
  await audit(tx, { action: "customer.invited", object, actorId: resellerId });
  await mailInvitation(tx, resellerId, row, token);
  return row;
}

/** Mails a pending or expired invitation with a new link; the previous link stops working. */
export async function resend(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof resendCustomerInvitation>,
): Promise<Output<typeof resendCustomerInvitation>> {
  await requireReseller(ctx);
  const where = { id, resellerId: ctx.actor.id, acceptedAt: null };
  const invitation = await ctx.db.customerInvitation.findFirst({ where, select: { email: true } });
  if (!invitation) throw await notFound(ctx, id);
  await requireMail(invitation.email);
  return withOwnAccount(ctx, async (tx) => {
    const token = newToken("dsb");
    const [row] = await tx.db.customerInvitation.updateManyAndReturn({
      where,
      data: { tokenHash: digest(token), expiresAt: fromNow(INVITATION_DAYS * DAY) },
      select: INVITED,
    });
    if (!row) throw inaccessibleRecord(undefined, "CustomerInvitation", id);
    await audit(tx, { action: "customer.invitation_resent", object: { type: "CustomerInvitation", id } });
    await mailInvitation(tx, tx.actor.id, row, token);
    return toResponse(tx, row);
  });
}

export async function cancel(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof cancelCustomerInvitation>,
): Promise<Output<typeof cancelCustomerInvitation>> {
  await requireReseller(ctx);
  const isCancelled = await withOwnAccount(ctx, async (tx) => {
    const where = { id, resellerId: tx.actor.id, acceptedAt: null };
    const { count } = await tx.db.customerInvitation.deleteMany({ where });
    if (count > 0)
      await audit(tx, {
        action: "customer.invitation_cancelled",
        object: { type: "CustomerInvitation", id },
      });
    return count > 0;
  });
  if (!isCancelled) throw await notFound(ctx, id);
  return { success: true, message: text(ctx.locale, "responses.invitation_cancelled") };
}

async function notFound({ db }: Context<UserActor>, id: number) {
  const where = { id, acceptedAt: null };
  return inaccessibleRecord(
    await db.customerInvitation.findUnique({ where, select: { id: true } }),
    "CustomerInvitation",
    id,
  );
}

async function mailInvitation(tx: Context, resellerId: number, row: Row, token: string): Promise<void> {
  const { name } = await tx.db.user.findUniqueOrThrow({ where: { id: resellerId }, select: { name: true } });
  await queueMail(
    tx,
    { userId: null, address: row.email, brandOf: resellerId },
    {
      template: "customer_invitation",
      locale: tx.locale,
      params: { name: row.name, inviter: name, days: INVITATION_DAYS },
      path: `/accept-invitation?token=${token}`,
      provesAddress: true,
    },
  );
}

function toResponse(tx: Context, row: Row) {
  return {
    success: true as const,
    message: text(tx.locale, "responses.invitation_sent"),
    invitation: invitedOf(row),
  };
}
