import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";

/** Counts new customers in each of the last twelve months of Turkish time. Prisma cannot group by them. */
export const countSignUpsByMonth = statement(z.strictObject({ month: z.string(), signUps: z.int() }))<{
  resellerId: number;
}>`
  select to_char(m.month, 'YYYY-MM') as month,
         (select count(*)::int from users u
           where u.reseller_id = ${(input) => input.resellerId}
             and u.created_at >= m.month at time zone 'Europe/Istanbul'
             and u.created_at < (m.month + interval '1 month') at time zone 'Europe/Istanbul') as "signUps"
    from generate_series(date_trunc('month', now() at time zone 'Europe/Istanbul') - interval '11 months',
                         date_trunc('month', now() at time zone 'Europe/Istanbul'), interval '1 month') as m(month)
   order by m.month`;

const EarningFigures = z.strictObject({
  bucket: z.int(),
  earned: z.number(),
  voided: z.number(),
  paid_out: z.number(),
});

/** The day of a pay-out is a local day. */
const PAYOUT_TIME = "(paid_at::timestamp at time zone (select name from zone))";

export const sumEarnings = statement(EarningFigures)<{
  resellerId: number;
  zone: string;
  limits: Date[];
}>`
  with zone as (select ${({ zone }) => zone}::text as name),
  amounts as (
    select ${bucketSql("created_at")} as bucket,
           coalesce(sum(amount_minor) filter (where state = 'earned'), 0) as earned,
           coalesce(sum(amount_minor) filter (where state = 'void'), 0) as voided, 0 as paid_out
      from referral_earnings
     where reseller_id = ${({ resellerId }) => resellerId} and currency = 'TRY'
       and ${inLimitsSql("created_at")}
     group by 1
     union all
    select ${bucketSql(PAYOUT_TIME)}, 0, 0, sum(amount_minor)
      from referral_payouts
     where reseller_id = ${({ resellerId }) => resellerId} and currency = 'TRY'
       and ${inLimitsSql(PAYOUT_TIME)}
     group by 1)
  select bucket, sum(earned)::float8 as earned, sum(voided)::float8 as voided, sum(paid_out)::float8 as paid_out
    from amounts group by bucket`;
