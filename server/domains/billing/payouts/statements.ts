import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

const OpenSums = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  currency: z.string(),
  openMinor: z.number(),
  paidMinor: z.number(),
  lastPaidAt: z.date().nullable(),
  rowCount: z.int(),
});

/** Open and paid sums by reseller. Raw SQL: Prisma cannot order by conditional sums. */
export const listOpenSums = statement(OpenSums)<{
  until: Date;
  patterns: string[];
  sort: string;
  take: number;
  skip: number;
}>`
  with owed as (
    select e.reseller_id, e.currency,
           sum(case when e.state = 'earned' and e.payout_id is null and e.created_at <= ${(input) => input.until} then e.amount_minor
                    when e.state = 'void' and e.payout_id is not null and e.deducted_id is null then -e.amount_minor
                    else 0 end)::float8 as open
      from referral_earnings e group by e.reseller_id, e.currency)
  select u.id, u.name, u.email, owed.currency, owed.open as "openMinor", coalesce(paid.sum, 0)::float8 as "paidMinor",
         paid.last as "lastPaidAt", (count(*) over ())::int as "rowCount"
    from owed join users u on u.id = owed.reseller_id
    left join lateral (select sum(p.amount_minor) as sum, max(p.paid_at) as last from referral_payouts p
                        where p.reseller_id = owed.reseller_id and p.currency = owed.currency) paid on true
   where u.search_text like all(${(input) => input.patterns}::text[])
   order by case when ${(input) => input.sort}::text = 'open' then owed.open when ${(input) => input.sort}::text = '-open' then -owed.open end,
            case when ${(input) => input.sort}::text = 'name' then u.name collate "names" end,
            case when ${(input) => input.sort}::text = '-name' then u.name collate "names" end desc, u.id, owed.currency
   limit ${(input) => input.take} offset ${(input) => input.skip}`;
