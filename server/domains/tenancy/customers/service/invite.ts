import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import {
  countedInvalidField,
  createError,
  createInaccessibleError,
  createNotFoundError,
  invalidField,
} from "@/server/core/errors";
import { normalisePhone } from "@/server/core/phone";
import { toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { refuseSpamAddress } from "@/server/domains/access/registration/service/refuse-spam-address";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { isEmailTaken } from "@/server/domains/accounts/users/service/find";
import { lockOwnAccount, withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import {
  consumePointOrThrow,
  type RateLimitCounter,
  toIpBucket,
} from "@/server/infrastructure/rate-limit/limiter";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import type {
  cancelCustomerInvitation,
  inviteCustomer,
  listCustomerInvitations,
  resendCustomerInvitation,
} from "../contract";
import { INVITATION_DAYS } from "../policy";
import { requireInvitationMailPoint, returnInvitationMailPoint } from "./mail-limit";

/** Limit per network, because responses reveal whether an address has an account. */
const INVITE_NETWORK_LIMIT: RateLimitCounter = {
  name: "invite_customer_ip",
  points: 60,
  per: 3600,
  durable: true,
};

const INVITATION_SELECT = {
  id: true,
  name: true,
  email: true,
  phone: true,
  createdAt: true,
  expiresAt: true,
} as const;
type InvitationRow = {
  id: number;
  name: string;
  email: string;
  phone: string | null;
  createdAt: Date;
  expiresAt: Date;
};

const toInvitation = ({ createdAt, expiresAt, ...row }: InvitationRow) => ({
  ...row,
  created_at: toIsoMicros(createdAt),
  expires_at: toIsoMicros(expiresAt),
  expired: expiresAt.getTime() <= Date.now(),
});

export async function listInvitations(
  ctx: Context<UserActor>,
): Promise<Output<typeof listCustomerInvitations>> {
  await requireSignedReseller(ctx);
  const rows = await ctx.db.customerInvitation.findMany({
    where: { resellerId: ctx.actor.id, acceptedAt: null },
    orderBy: { id: "desc" },
    select: INVITATION_SELECT,
  });
  return { success: true, invitations: rows.map(toInvitation) };
}

/** Reveals a taken address only after every other check has passed. */
export async function inviteNewCustomer(
  ctx: Context<UserActor>,
  { body }: Input<typeof inviteCustomer>,
): Promise<Output<typeof inviteCustomer>> {
  await requireSignedReseller(ctx);
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  let shouldReturnMailPoint = false;
  // Runs outside the transaction, so that a burst of calls does not hold database connections while waiting.
  const runPrechecks = async () => {
    await consumePointOrThrow(INVITE_NETWORK_LIMIT, toIpBucket(ctx.ip));
    await refuseSpamAddress(body);
    await requireInvitableAddress(ctx, body.email);
    await requireInvitationMailPoint(body.email);
    shouldReturnMailPoint = true;
  };
  const inviteInTransaction = async (tx: Context<UserActor>) => {
    await lockOwnAccount(tx);
    // Checked again under the lock.
    await requireInvitableAddress(tx, body.email);
    const row = await createAndMailInvitation(tx, tx.actor.id, body);
    await recordAddition(tx, tx.actor.id, { kind: "customer_invitation", name: body.email });
    return toInvitationResponse(tx, row);
  };
  try {
    const response = await withIdempotency(ctx, inviteInTransaction, { precheck: runPrechecks });
    if (!ctx.idempotentCall?.isReplay) shouldReturnMailPoint = false;
    return response;
  } finally {
    if (shouldReturnMailPoint) await returnInvitationMailPoint(body.email);
  }
}

async function requireInvitableAddress(ctx: Context<UserActor>, email: string): Promise<void> {
  const obstacle = await findInvitationObstacle(ctx, ctx.actor.id, email);
  if (obstacle === "invited_already") throw invalidField("email", obstacle);
  if (obstacle === "has_account") throw countedInvalidField("email", "invitee_has_account");
}

/** Returns why the reseller cannot invite an address. Lock the reseller for a reliable result. */
export async function findInvitationObstacle(
  { db }: Pick<Context, "db">,
  resellerId: number,
  email: string,
): Promise<"invited_already" | "has_account" | undefined> {
  const pendingInvitation = { resellerId, emailKey: toEmailKey(email), acceptedAt: null };
  if (await db.customerInvitation.count({ where: pendingInvitation })) return "invited_already";
  return (await isEmailTaken({ db }, { email, requesterId: resellerId })) ? "has_account" : undefined;
}

type Invitee = Input<typeof inviteCustomer>["body"];

/** Stores the invitation and mails the link. Lock the reseller and check `findInvitationObstacle` first. */
export async function createAndMailInvitation(
  tx: Context,
  resellerId: number,
  { name, email, phone }: Invitee,
): Promise<InvitationRow> {
  const token = createToken("dsb");
  const row = await tx.db.customerInvitation.create({
    data: {
      resellerId,
      name,
      email,
      emailKey: toEmailKey(email),
      phone: phone ? normalisePhone(phone) : null,
      tokenHash: hashSecret(token),
      expiresAt: fromNow(INVITATION_DAYS * DAY),
    },
    select: INVITATION_SELECT,
  });
  const object = { type: "CustomerInvitation" as const, id: row.id };
  await audit(tx, { action: "customer.invited", object, actorId: resellerId });
  await mailInvitation(tx, resellerId, row, token);
  return row;
}

/** Mails a pending or expired invitation with a new link; the previous link stops working. */
export async function resendInvitation(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof resendCustomerInvitation>,
): Promise<Output<typeof resendCustomerInvitation>> {
  await requireSignedReseller(ctx);
  const where = { id, resellerId: ctx.actor.id, acceptedAt: null };
  const invitation = await ctx.db.customerInvitation.findFirst({ where, select: { email: true } });
  if (!invitation) throw await createInaccessibleInvitationError(ctx, id);
  await requireInvitationMailPoint(invitation.email);
  return withLockedOwnAccount(ctx, async (tx) => {
    const token = createToken("dsb");
    const [row] = await tx.db.customerInvitation.updateManyAndReturn({
      where,
      data: { tokenHash: hashSecret(token), expiresAt: fromNow(INVITATION_DAYS * DAY) },
      select: INVITATION_SELECT,
    });
    if (!row) throw createNotFoundError("CustomerInvitation", id);
    await audit(tx, { action: "customer.invitation_resent", object: { type: "CustomerInvitation", id } });
    await mailInvitation(tx, tx.actor.id, row, token);
    return toInvitationResponse(tx, row);
  });
}

export async function cancelInvitation(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof cancelCustomerInvitation>,
): Promise<Output<typeof cancelCustomerInvitation>> {
  await requireSignedReseller(ctx);
  const isCancelled = await withLockedOwnAccount(ctx, async (tx) => {
    const where = { id, resellerId: tx.actor.id, acceptedAt: null };
    const { count } = await tx.db.customerInvitation.deleteMany({ where });
    if (count > 0)
      await audit(tx, {
        action: "customer.invitation_cancelled",
        object: { type: "CustomerInvitation", id },
      });
    return count > 0;
  });
  if (!isCancelled) throw await createInaccessibleInvitationError(ctx, id);
  return { success: true, message: formatText(ctx.locale, "responses.invitation_cancelled") };
}

async function createInaccessibleInvitationError({ db }: Context<UserActor>, id: number) {
  const where = { id, acceptedAt: null };
  return createInaccessibleError(
    await db.customerInvitation.findUnique({ where, select: { id: true } }),
    "CustomerInvitation",
    id,
  );
}

async function mailInvitation(
  tx: Context,
  resellerId: number,
  row: InvitationRow,
  token: string,
): Promise<void> {
  const { name: inviterName } = await tx.db.user.findUniqueOrThrow({
    where: { id: resellerId },
    select: { name: true },
  });
  await queueMail(
    tx,
    { userId: null, address: row.email, brandOf: resellerId },
    {
      template: "customer_invitation",
      locale: tx.locale,
      params: { name: row.name, inviter: inviterName, days: INVITATION_DAYS },
      path: `/accept-invitation?token=${token}`,
      provesAddress: true,
    },
  );
}

function toInvitationResponse(tx: Context, row: InvitationRow) {
  return {
    success: true as const,
    message: formatText(tx.locale, "responses.invitation_sent"),
    invitation: toInvitation(row),
  };
}
