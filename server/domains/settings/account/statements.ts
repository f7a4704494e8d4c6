import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: changes of one account come one after the other, each from what the one before it has left. */
export const lockAccount = statement(
  z.strictObject({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    emailKey: z.string(),
    phone: z.string().nullable(),
    timezone: z.string().nullable(),
    emailVerifiedAt: z.date().nullable(),
    passwordHash: z.string().nullable(),
  }),
)<{ userId: number }>`
  select id, name, email, email_key as "emailKey", phone, timezone, email_verified_at as "emailVerifiedAt",
         password_hash as "passwordHash"
    from users where id = ${(given) => given.userId} for update`;

interface Confirmation {
  tokenHash: Buffer;
  /** Of the link that leads back. */
  undoHash: Buffer;
  undoUntil: Date;
}
/** Update from another table: the link is spent and the address that is left is noted, in one step. */
export const confirmChange = statement(
  z.strictObject({
    id: z.int(),
    userId: z.int(),
    oldEmail: z.string(),
    oldVerified: z.date().nullable(),
    newEmail: z.string(),
    name: z.string(),
    locale: z.string().nullable(),
  }),
)<Confirmation>`
  update email_changes c
     set applied_at = now(), token_hash = ${(given) => given.undoHash}, expires_at = ${(given) => given.undoUntil},
         old_email = u.email, old_email_key = u.email_key, old_verified = u.email_verified_at
    from users u
   where c.token_hash = ${(given) => given.tokenHash} and c.applied_at is null and c.undone_at is null
     and c.expires_at > now() and u.id = c.user_id and u.anonymised_at is null
  returning c.id, c.user_id as "userId", c.old_email as "oldEmail", c.old_verified as "oldVerified",
            c.new_email as "newEmail", u.name, u.locale`;
