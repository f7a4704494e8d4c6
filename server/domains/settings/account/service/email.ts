import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { invalidCounted } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { fromNow, HOUR } from "@/server/core/time";
import { endReset } from "@/server/domains/access/sign-in/service/forgot";
import { endInterims } from "@/server/domains/access/tokens/service/tokens";
import { endVerifications, sendVerification } from "@/server/domains/access/verification/service";
import { audit } from "@/server/domains/accounts/audit/service";
import { respellAddress, takeAddress } from "@/server/domains/accounts/users/service/change";
import { type Addressee, isAddressTaken } from "@/server/domains/accounts/users/service/find";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import type { Work } from "@/server/infrastructure/database/transaction";
import { addressBucket, type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import { CONFIRM_HOURS, UNDO_HOURS } from "../contract";
import type { Account } from "../dto";

/**
 * Address changes allowed per account and per client address, because a response reveals whether an address is taken,
 * and each change sends a mail.
 */
const CHANGES: Counter = { name: "email_change", points: 5, per: 30 * 60, durable: true };

export type EmailOutcome = "same" | "respelled" | "changed" | "pending";

/** Counts before the address is checked, so that concurrent calls cannot try more. Throws `too_many_requests`. */
export async function countEmailChange({ actor, ip }: Context<UserActor>): Promise<void> {
  for (const key of [`u${actor.id}`, addressBucket(ip)]) await requirePoint(CHANGES, key);
}

/** Changes the address, or asks the new one to confirm. Throws `validation` when it is taken. */
export async function changeEmail(tx: Context, account: Account, email: string): Promise<EmailOutcome> {
  if (email === account.email) return "same";
  if (emailKey(email) === account.emailKey) {
    await respellAddress(tx, account.id, email);
    return "respelled";
  }
  await tx.db.emailChange.deleteMany({ where: { userId: account.id, appliedAt: null } });
  if (env().EMAIL_CHANGE_MODE === "confirm") {
    await askNewAddress(tx, account, email);
    return "pending";
  }
  await takeAddress(tx, account.id, { email, verifiedAt: null });
  await endLinks(tx, account.id);
  await audit(tx, { action: "profile.email_changed", object: { type: "User", id: account.id } });
  await sendVerification(tx, { ...account, email });
  if (account.emailVerifiedAt) {
    const token = await keepChange(tx, account, email, { hours: UNDO_HOURS, appliedAt: new Date() });
    await tellOldAddress(tx, account, { email, token });
  }
  return "changed";
}

async function askNewAddress(tx: Context, account: Account, email: string): Promise<void> {
  if (await isAddressTaken(tx, { email, by: account.id })) throw invalidCounted("email", "email_in_use");
  const token = await keepChange(tx, account, email, { hours: CONFIRM_HOURS, appliedAt: null });
  await audit(tx, { action: "profile.email_change_asked", object: { type: "User", id: account.id } });
  await mailUser(tx, account, {
    template: "email_change_confirm",
    to: email,
    params: { hours: CONFIRM_HOURS },
    path: `/confirm-email-change?token=${token}`,
  });
}

/** Stores a change, from the previous address to the new one; returns the token of its link. */
async function keepChange(
  tx: Context,
  account: Account,
  email: string,
  { hours, appliedAt }: { hours: number; appliedAt: Date | null },
): Promise<string> {
  const token = newToken("dsc");
  await tx.db.emailChange.create({
    data: {
      userId: account.id,
      oldEmail: account.email,
      oldEmailKey: account.emailKey,
      oldVerified: account.emailVerifiedAt,
      newEmail: email,
      newEmailKey: emailKey(email),
      tokenHash: digest(token),
      appliedAt,
      expiresAt: fromNow(hours * HOUR),
    },
    select: { id: true },
  });
  return token;
}

/** Voids every link and code that was mailed to an address the account no longer has. */
export async function endLinks(tx: Work, userId: number): Promise<void> {
  await endReset(tx, userId);
  await endVerifications(tx, userId);
  await endInterims(tx, userId);
}

/**
 * Notifies the previous address, with a link to undo. The caller passes verified addresses only: an unverified one
 * may belong to a stranger.
 */
export async function tellOldAddress(
  tx: Pick<Context, "db" | "sql" | "locale">,
  old: Addressee,
  { email, token }: { email: string; token: string },
): Promise<void> {
  await mailUser(tx, old, {
    template: "email_changed",
    params: { hours: UNDO_HOURS, email },
    path: `/undo-email-change?token=${token}`,
  });
}
