import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

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
