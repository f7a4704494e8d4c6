import type { Context, UserActor } from "@/server/core/context";
import { countedInvalidField } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  cancelPendingEmail,
  changeEmailSpelling,
  setEmail,
  setPendingEmail,
} from "@/server/domains/accounts/users/service/change";
import { isEmailTaken, type MailRecipient } from "@/server/domains/accounts/users/service/find";
import {
  consumePointOrThrow,
  type RateLimitCounter,
  toIpBucket,
} from "@/server/infrastructure/rate-limit/limiter";
import { sendVerificationMail, voidVerifications } from "./verification-mail";
import { voidLinksAndCodes } from "./void-links-and-codes";

/** Per account and per IP address: a response reveals whether an address is taken. */
const CHANGES_PER_CALLER_COUNTER: RateLimitCounter = {
  name: "email_change",
  points: 5,
  per: 30 * 60,
  durable: true,
};

/** Per new address, across all callers: its owner must not be flooded with mails. */
const CHANGES_PER_ADDRESS_COUNTER: RateLimitCounter = {
  name: "email_change_to",
  points: 5,
  per: 3600,
  durable: true,
};

/**
 * `respelled`: the account's own address, possibly with other capitals; a pending change is cancelled.
 * `pending`: waits for the confirmation.
 */
export type EmailChangeResult = "same" | "respelled" | "changed" | "pending";

interface Account extends MailRecipient {
  emailKey: string;
  emailVerifiedAt: Date | null;
  pendingEmail: string | null;
}

/** Counts before the check, so that concurrent calls cannot exceed the limit. Throws `too_many_requests`. */
export async function limitEmailChanges(ctx: Context<UserActor>, email: string): Promise<void> {
  const { id } = ctx.actor;
  for (const callerKey of [`u${id}`, toIpBucket(ctx.ip)])
    await consumePointOrThrow(CHANGES_PER_CALLER_COUNTER, callerKey);
  // A taken address gets no mail.
  if (!(await isEmailTaken(ctx, { email, requesterId: id })))
    await consumePointOrThrow(CHANGES_PER_ADDRESS_COUNTER, toEmailKey(email));
}

/** Only an unverified account changes immediately; a verified one waits for the confirmation. */
export async function changeEmail(
  tx: Context<UserActor>,
  account: Account,
  email: string,
): Promise<EmailChangeResult> {
  if (email === (account.pendingEmail ?? account.email)) return "same";
  if (toEmailKey(email) === account.emailKey) return keepOrRespellAddress(tx, account, email);
  const auditTarget = { object: { type: "User" as const, id: account.id } };
  if (!account.emailVerifiedAt) {
    await setEmail(tx, account.id, { email, verifiedAt: null });
    await voidLinksAndCodes(tx, account.id);
    await audit(tx, { action: "profile.email_changed", ...auditTarget });
    await sendVerificationMail(tx, { ...account, email });
    return "changed";
  }
  if (await isEmailTaken(tx, { email, requesterId: account.id }))
    throw countedInvalidField("email", "email_in_use");
  await setPendingEmail(tx, account.id, { email, tokenId: tx.actor.token.id });
  await audit(tx, { action: "profile.email_change_asked", ...auditTarget });
  await sendVerificationMail(tx, { ...account, email });
  return "pending";
}

async function keepOrRespellAddress(
  tx: Context,
  account: Account,
  email: string,
): Promise<EmailChangeResult> {
  if (await cancelPendingEmail(tx, account.id)) await voidVerifications(tx, account.id);
  if (email !== account.email) await changeEmailSpelling(tx, account.id, email);
  return "respelled";
}
