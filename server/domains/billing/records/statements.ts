import * as z from "zod";
import { DAY } from "@/server/core/time";
import { statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";

const toDay = (moment: Date, difference: number) =>
  new Date(moment.getTime() + difference).toISOString().slice(0, 10);

/**
 * One scan for all intervals and plans; Prisma cannot group by an interval. Grouped by day first, because few days are
 * quick to convert. PostgreSQL estimates too few rows for a converted day, so the first step is materialized and has
 * days in UTC, one more at each end.
 */
export const sumPaymentsByPlan = statement(
  z.strictObject({ bucket: z.int(), plan: z.string(), currency: z.string(), amount: z.number() }),
)<{ limits: Date[]; databaseZone: string }>`
  with by_day as materialized (
    select p.paid_at, p.currency, coalesce(p.plan_name, 'licence') as plan, sum(p.amount_minor) as amount
      from payments p
     where p.state = 'recorded'
       and p.paid_at between ${({ limits }) => toDay(limits[0]!, -DAY)}::date and ${({ limits }) => toDay(limits.at(-1)!, DAY)}::date
     group by 1, 2, 3),
  day as (
    select paid_at::timestamp at time zone ${({ databaseZone }) => databaseZone} as at, currency, plan, amount from by_day)
  select ${bucketSql("at")} as bucket, plan, currency, sum(amount)::float8 as amount
    from day
   where ${inLimitsSql("at")}
   group by 1, 2, 3`;
