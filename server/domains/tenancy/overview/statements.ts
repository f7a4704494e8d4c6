import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** One trip and one snapshot for counts of eight tables. */
export const countWaiting = statement(
  z.strictObject({
    no_bank: z.boolean(),
    no_legal_texts: z.boolean(),
    orders: z.int(),
    licences: z.int(),
    past_due: z.int(),
    failed_mails: z.int(),
    factor_resets: z.int(),
    failing_portals: z.int(),
  }),
)`
  select not exists (select from settings where key = 'bank' and value <> 'null') as no_bank,
         (select count(distinct key) from legal_texts where key in ('terms', 'privacy')) < 2 as no_legal_texts,
         (select count(*) from subscriptions where status = 'pending')::int as orders,
         (select count(*) from site_licences where status = 'pending')::int as licences,
         (select count(*) from subscriptions where status = 'past_due')::int as past_due,
         (select count(*) from mail_messages where state = 'failed' and created_at > now() - interval '1 day')::int
           as failed_mails,
         (select count(*) from admin_actions where kind = 'reset_two_factor' and state = 'waiting')::int as factor_resets,
         (select count(*) from reseller_portals where verified_at is not null and failing_since is not null)::int
           as failing_portals`;
