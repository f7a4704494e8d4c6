import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

const ExistingAccount = z.strictObject({
  id: z.int(),
  verified: z.boolean(),
  hasIdentity: z.boolean(),
  hasHistory: z.boolean(),
});

/** `hasHistory` prevents a takeover. Unpaid orders do not count, because anyone can place one. */
export const lockAccountByEmailKey = statement(ExistingAccount)<{ emailKey: string }>`
  select id, email_verified_at is not null as verified,
         exists (select from external_identities where user_id = users.id) as "hasIdentity",
         exists (select from email_changes where user_id = users.id and applied_at is not null)
           or exists (select from sites where user_id = users.id)
           or exists (select from payments where user_id = users.id)
           or exists (select from subscriptions where user_id = users.id and status <> 'pending'
                         and coalesce(closed_reason, '') not in ('cancelled', 'lapsed'))
           or exists (select from users team where team.parent_user_id = users.id) as "hasHistory"
    from users where email_key = ${({ emailKey }) => emailKey} for update`;
