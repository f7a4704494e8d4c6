import * as z from "zod";
import type { CreditReason } from "@/server/infrastructure/database/generated/client";
import { statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql, intervalsSql } from "@/server/infrastructure/series/lines";

export interface BalanceChange {
  userId: number;
  amount: number;
  reason: CreditReason;
  actorId?: number;
  note?: string;
}

/** Maximum of the column `users.credits` (int4). */
const MAX_BALANCE = 2_147_483_647;

/** Updates balance and ledger in one statement: they stay consistent even outside a transaction. */
export const changeBalance = statement(
  z.strictObject({ id: z.int(), balance: z.int(), createdAt: z.date() }),
)<BalanceChange>`
  with updated as (
    update users set credits = credits + ${({ amount }) => amount}::int
     where id = ${({ userId }) => userId}
       and credits::bigint + ${({ amount }) => amount}::int between 0 and ${() => MAX_BALANCE}::int
    returning id, credits
  )
  insert into credit_entries (user_id, amount, balance, reason, actor_id, note)
  select id, ${({ amount }) => amount}::int, credits, ${({ reason }) => reason}::"CreditReason",
         ${({ actorId }) => actorId ?? null}::int, ${({ note }) => note ?? null}
    from updated
  returning id, balance, created_at as "createdAt"`;

const CreditFigures = z.strictObject({
  bucket: z.int(),
  change: z.number(),
  used: z.number(),
  added: z.number(),
  deducted: z.number(),
});

/** Summed up per interval in an index. Bucket 0 has the balance before the first limit. */
export const sumCreditEntries = statement(CreditFigures)<{ userId: number; limits: Date[] }>`
  select 0 as bucket, change, 0::float8 as used, 0::float8 as added, 0::float8 as deducted
    from (select balance::float8 as change from credit_entries
           where user_id = ${({ userId }) => userId} and created_at < ${({ limits }) => limits[0]}::timestamptz
           order by created_at desc, id desc limit 1) opening
   union all
  select i.bucket, summed.* from ${intervalsSql} cross join lateral (
    select coalesce(sum(amount), 0)::float8 as change,
           coalesce(-sum(amount) filter (where reason = 'usage'), 0)::float8 as used,
           coalesce(sum(amount) filter (where amount > 0 and reason <> 'usage'), 0)::float8 as added,
           coalesce(-sum(amount) filter (where amount < 0 and reason <> 'usage'), 0)::float8 as deducted
      from credit_entries
     where user_id = ${({ userId }) => userId} and created_at >= i.at and created_at < i.until) summed`;

/** Use of the last days, and the number of these days since the account's first entry, at least one. */
export const readRecentUse = statement(z.strictObject({ used: z.number(), days: z.number() }))<{
  userId: number;
  days: number;
}>`
  select coalesce((select -sum(amount) from credit_entries
                    where user_id = ${({ userId }) => userId} and reason = 'usage'
                      and created_at > now() - make_interval(days => ${({ days }) => days})), 0)::float8 as used,
         least(greatest(extract(epoch from now() - first.at) / 86400, 1), ${({ days }) => days}::int)::float8 as days
    from (select min(created_at) as at from credit_entries where user_id = ${({ userId }) => userId}) first
   where first.at is not null`;

const UsageFigures = z.strictObject({
  bucket: z.int(),
  messages_sent: z.number(),
  ai_calls: z.number(),
  voice_minutes: z.number(),
});

/** A stored month has no time zone: it counts as the month of the same name in the caller's. */
const MONTH_START = "(month::timestamp at time zone (select name from zone))";

export const sumUsageMonths = statement(UsageFigures)<{ userId: number; zone: string; limits: Date[] }>`
  with zone as (select ${({ zone }) => zone}::text as name)
  select ${bucketSql(MONTH_START)} as bucket, sum(messages_sent)::float8 as messages_sent,
         sum(ai_calls)::float8 as ai_calls, sum(voice_minutes)::float8 as voice_minutes
    from usage_months
   where user_id = ${({ userId }) => userId} and ${inLimitsSql(MONTH_START)}
   group by 1`;
