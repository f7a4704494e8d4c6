import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

const Confirmed = z.strictObject({ id: z.int(), emailVerifiedAt: z.date() });
const Unverified = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  locale: z.string().nullable(),
});

/** `update … from`: spends a link and confirms the address that it was sent to; a changed address matches nothing. */
export const confirmAddress = statement(Confirmed)<{ id: number }>`
  with spent as (
    update email_verifications set used_at = now()
     where id = ${({ id }) => id} and used_at is null and expires_at > now()
    returning user_id, email_key
  )
  update users u set email_verified_at = coalesce(u.email_verified_at, now()), updated_at = now()
    from spent where u.id = spent.user_id and u.email_key = spent.email_key
  returning u.id, u.email_verified_at as "emailVerifiedAt"`;

/** Row lock: of two mails to one account at once, the link of the later one is the one that works. */
export const lockUnverified = statement(Unverified)<{ key: string }>`
  select id, name, email, locale from users
   where email_key = ${({ key }) => key} and email_verified_at is null and is_active
     for update`;
