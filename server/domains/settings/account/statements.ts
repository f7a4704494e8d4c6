import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

interface Confirmation {
  tokenHash: Buffer;
  /** Digest of the undo link's token. */
  undoHash: Buffer;
  undoUntil: Date;
}
/** Update from another table: spends the link and stores the previous address in one step. */
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
