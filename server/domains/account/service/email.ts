import type { Context, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { invalidCounted } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { endInterims } from "@/server/domains/tokens/service/tokens";
import { sendVerification } from "@/server/domains/verification/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { addressBucket, type Counter, requirePoint } from "@/server/infrastructure/rate-limit/limiter";
import { digest, newToken } from "@/server/infrastructure/secrets/tokens";
import { CONFIRM_HOURS, UNDO_HOURS } from "../contract";

/**
 * Changes of address that may be asked for, for one account and for one client address: an answer says
 * whether somebody else has the address, and each change mails one.
 */
const CHANGES: Counter = { name: "email_change", points: 5, per: 30 * 60, durable: true };

export type EmailOutcome = "same" | "respelled" | "changed" | "pending";

interface Account {
  id: number;
  name: string;
  email: string;
  email_key: string;
  email_verified_at: Date | null;
}
type Tx = Context;

/** Counts before the address is looked at, so that a burst cannot ask more. Throws `too_many_requests`. */
export async function countEmailChange({ actor, ip }: Context<UserActor>): Promise<void> {
  for (const key of [`u${actor.id}`, addressBucket(ip)]) await requirePoint(CHANGES, key);
}

/** Changes the address, or asks the new one to confirm. Throws `validation` when it is taken. */
export async function changeEmail(tx: Tx, account: Account, email: string): Promise<EmailOutcome> {
  if (email === account.email) return "same";
  if (emailKey(email) === account.email_key) {
    await tx.sql`update users set email = ${email}, updated_at = now() where id = ${account.id}`;
    return "respelled";
  }
  await tx.sql`delete from email_changes where user_id = ${account.id} and applied_at is null`;
  if (env().EMAIL_CHANGE_MODE === "confirm") {
    await askNewAddress(tx, account, email);
    return "pending";
  }
  await takeAddress(tx, account.id, email, null);
  await endLinks(tx, account.id);
  await audit(tx, { action: "profile.email_changed", object: { type: "User", id: account.id } });
  await sendVerification(tx, { id: account.id, name: account.name, email });
  if (account.email_verified_at) {
    const token = newToken("dsc");
    await tx.sql`
      insert into email_changes (user_id, old_email, old_email_key, old_verified, new_email, new_email_key, token_hash, applied_at, expires_at)
      values (${account.id}, ${account.email}, ${account.email_key}, ${account.email_verified_at}, ${email}, ${emailKey(email)},
              ${digest(token)}, now(), ${fromNow(UNDO_HOURS * HOUR)})`;
    await tellOldAddress(tx, account, { email, token });
  }
  return "changed";
}

async function askNewAddress(tx: Tx, account: Account, email: string): Promise<void> {
  const key = emailKey(email);
  const taken = await tx.sql`select 1 from users where email_key = ${key}`;
  if (taken.length > 0 || (await isHeld(tx, { email, by: account.id })))
    throw invalidCounted("email", "email_in_use");
  const token = newToken("dsc");
  await tx.sql`
    insert into email_changes (user_id, old_email, old_email_key, old_verified, new_email, new_email_key, token_hash, expires_at)
    values (${account.id}, ${account.email}, ${account.email_key}, ${account.email_verified_at}, ${email}, ${key},
            ${digest(token)}, ${fromNow(CONFIRM_HOURS * HOUR)})`;
  await audit(tx, { action: "profile.email_change_asked", object: { type: "User", id: account.id } });
  await queueMail(
    tx,
    { userId: account.id, address: email },
    {
      template: "email_change_confirm",
      locale: tx.locale,
      params: { name: account.name, hours: CONFIRM_HOURS },
      path: `/confirm-email-change?token=${token}`,
    },
  );
}

/** Gives an account this address. Two that want it: the index lets one through, the other is told it is taken. */
export async function takeAddress(
  { sql }: Pick<Work, "sql">,
  userId: number,
  email: string,
  verifiedAt: Date | null,
): Promise<void> {
  try {
    await sql`
      update users set email = ${email}, email_key = ${emailKey(email)}, email_verified_at = ${verifiedAt}, updated_at = now()
       where id = ${userId}`;
  } catch (error) {
    if ((error as { code?: string }).code === "23505") throw invalidCounted("email", "email_in_use");
    throw error;
  }
  if (await isHeld({ sql }, { email, by: userId })) throw invalidCounted("email", "email_in_use");
}

/**
 * Whether an address still belongs to somebody else's change that can be undone: whoever takes over an
 * account must not be able to put a new account in the way of its owner's return.
 */
export async function isHeld(
  { sql }: Pick<Work, "sql">,
  { email, by }: { email: string; by: number },
): Promise<boolean> {
  const rows = await sql`
    select 1 from email_changes c join users u on u.id = c.user_id
     where c.old_email_key = ${emailKey(email)} and c.user_id <> ${by} and c.applied_at is not null
       and c.undone_at is null and c.expires_at > now() and u.anonymised_at is null`;
  return rows.length > 0;
}

/** Ends every link that was mailed to an address which is no longer the account's, and codes on their way there. */
export async function endLinks({ sql, db }: Work, userId: number): Promise<void> {
  await sql`delete from password_resets where user_id = ${userId}`;
  await sql`delete from email_verifications where user_id = ${userId} and used_at is null`;
  await endInterims({ db }, userId);
}

/**
 * Tells the address that was left, with the link that leads back. An address nobody ever confirmed may be
 * a stranger's, so it is not asked: the caller passes confirmed ones only.
 */
export async function tellOldAddress(
  { sql, locale }: Pick<Context, "sql" | "locale">,
  old: { id: number; name: string; email: string },
  { email, token }: { email: string; token: string },
): Promise<void> {
  await queueMail(
    { sql },
    { userId: old.id, address: old.email },
    {
      template: "email_changed",
      locale,
      params: { name: old.name, hours: UNDO_HOURS, email },
      path: `/undo-email-change?token=${token}`,
    },
  );
}
