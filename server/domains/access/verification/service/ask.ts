import type { Context, UserActor } from "@/server/core/context";
import { invalidCounted } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  endPendingAddress,
  respellAddress,
  setPendingAddress,
  takeAddress,
} from "@/server/domains/accounts/users/service/change";
import { type Addressee, isAddressTaken } from "@/server/domains/accounts/users/service/find";
import { addressBucket, type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { endLinks } from "./links";
import { endVerifications, sendVerification } from "./mail";

/**
 * Address changes allowed per account and per client address, because a response reveals whether an address is taken,
 * and each change sends a mail.
 */
const CHANGES: Counter = { name: "email_change", points: 5, per: 30 * 60, durable: true };

/** The same for one new address, whoever asks for it: its owner gets these mails. */
const TARGET: Counter = { name: "email_change_to", points: 5, per: 3600, durable: true };

export type EmailOutcome = "same" | "respelled" | "changed" | "pending";

/** The address that identifies an account, and the one that waits to be proven. */
interface Account extends Addressee {
  emailKey: string;
  emailVerifiedAt: Date | null;
  pendingEmail: string | null;
}

/** Counts before the address is checked, so that concurrent calls cannot try more. Throws `too_many_requests`. */
export async function countEmailChange(ctx: Context<UserActor>, email: string): Promise<void> {
  const { id } = ctx.actor;
  for (const key of [`u${id}`, addressBucket(ctx.ip)]) await requirePoint(CHANGES, key);
  if (!(await isAddressTaken(ctx, { email, by: id }))) await requirePoint(TARGET, emailKey(email));
}

/**
 * Asks for another address. It is shown at once and mailed a link, and identifies the account once it is proven; until
 * then the proven one does. An account that never proved one just changes it. Throws `validation` when the address
 * is somebody else's.
 */
export async function changeEmail(
  tx: Context<UserActor>,
  account: Account,
  email: string,
): Promise<EmailOutcome> {
  if (email === (account.pendingEmail ?? account.email)) return "same";
  if (emailKey(email) === account.emailKey) return comeBack(tx, account, email);
  const about = { object: { type: "User" as const, id: account.id } };
  if (!account.emailVerifiedAt) {
    await takeAddress(tx, account.id, { email, verifiedAt: null });
    await endLinks(tx, account.id);
    await audit(tx, { action: "profile.email_changed", ...about });
    await sendVerification(tx, { ...account, email });
    return "changed";
  }
  if (await isAddressTaken(tx, { email, by: account.id })) throw invalidCounted("email", "email_in_use");
  await setPendingAddress(tx, account.id, { email, by: tx.actor.token.id });
  await audit(tx, { action: "profile.email_change_asked", ...about });
  await sendVerification(tx, { ...account, email });
  return "pending";
}

/** The proven address again, perhaps spelled otherwise: nothing waits any more. */
async function comeBack(tx: Context, account: Account, email: string): Promise<EmailOutcome> {
  if (await endPendingAddress(tx, account.id)) await endVerifications(tx, account.id);
  if (email !== account.email) await respellAddress(tx, account.id, email);
  return "respelled";
}
