import type { Context, UserActor } from "@/server/core/context";
import { countedInvalidField } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  cancelPendingAddress,
  changeAddressSpelling,
  setAddress,
  setPendingAddress,
} from "@/server/domains/accounts/users/service/change";
import { isAddressTaken, type MailRecipient } from "@/server/domains/accounts/users/service/find";
import { type Counter, requirePoint, toIpBucket } from "@/server/infrastructure/rate-limit/limiter";
import { sendVerification, voidVerifications } from "./mail";
import { voidLinks } from "./void-links";

/** Per account and per IP address: a response reveals whether an address is taken. */
const CALLER_COUNTER: Counter = { name: "email_change", points: 5, per: 30 * 60, durable: true };

/** Per new address, across all callers: its owner must not be flooded with mails. */
const TARGET_COUNTER: Counter = { name: "email_change_to", points: 5, per: 3600, durable: true };

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
export async function countEmailChange(ctx: Context<UserActor>, email: string): Promise<void> {
  const { id } = ctx.actor;
  for (const key of [`u${id}`, toIpBucket(ctx.ip)]) await requirePoint(CALLER_COUNTER, key);
  // A taken address gets no mail.
  if (!(await isAddressTaken(ctx, { email, requesterId: id })))
    await requirePoint(TARGET_COUNTER, emailKey(email));
}

/** Only an unverified account changes immediately; a verified one waits for the confirmation. */
export async function changeEmail(
  tx: Context<UserActor>,
  account: Account,
  email: string,
): Promise<EmailChangeResult> {
  if (email === (account.pendingEmail ?? account.email)) return "same";
  if (emailKey(email) === account.emailKey) return keepOwnAddress(tx, account, email);
  const auditTarget = { object: { type: "User" as const, id: account.id } };
  if (!account.emailVerifiedAt) {
    await setAddress(tx, account.id, { email, verifiedAt: null });
    await voidLinks(tx, account.id);
    await audit(tx, { action: "profile.email_changed", ...auditTarget });
    await sendVerification(tx, { ...account, email });
    return "changed";
  }
  if (await isAddressTaken(tx, { email, requesterId: account.id }))
    throw countedInvalidField("email", "email_in_use");
  await setPendingAddress(tx, account.id, { email, tokenId: tx.actor.token.id });
  await audit(tx, { action: "profile.email_change_asked", ...auditTarget });
  await sendVerification(tx, { ...account, email });
  return "pending";
}

async function keepOwnAddress(tx: Context, account: Account, email: string): Promise<EmailChangeResult> {
  if (await cancelPendingAddress(tx, account.id)) await voidVerifications(tx, account.id);
  if (email !== account.email) await changeAddressSpelling(tx, account.id, email);
  return "respelled";
}
