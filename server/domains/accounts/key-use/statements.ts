import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";

export interface KeyUseColumns {
  tokenIds: Array<number | null>;
  externalKeyIds: Array<number | null>;
  days: string[];
  operations: string[];
  addresses: string[];
  calls: number[];
  lastAts: Date[];
}

/** Maximum number of rows per key and day; the rest is summed up as `other`. */
export const MAX_ROWS_PER_DAY = 200;

/** `skip locked` omits keys in deletion, the share lock keeps the others. Sorted rows prevent a deadlock. */
export const addKeyUse = statement(z.never())<KeyUseColumns>`
  with counter as (
    select * from unnest(${(input) => input.tokenIds}::int[], ${(input) => input.externalKeyIds}::int[],
                         ${(input) => input.days}::date[], ${(input) => input.operations}::text[],
                         ${(input) => input.addresses}::text[], ${(input) => input.calls}::int[],
                         ${(input) => input.lastAts}::timestamptz[])
                as g(token_id, external_key_id, day, operation, address, calls, last_at)
  ), tokens as materialized (
    select id from access_tokens where id in (select token_id from counter) for key share skip locked
  ), keys as materialized (
    select id from external_keys where id in (select external_key_id from counter) for key share skip locked
  ), candidate as (
    select g.*, k.id is not null as is_known,
           (select count(*) from key_use e
             where (e.token_id = g.token_id or e.external_key_id = g.external_key_id) and e.day = g.day) as stored
      from counter g
      left join key_use k on (k.token_id = g.token_id or k.external_key_id = g.external_key_id)
       and k.day = g.day and k.operation = g.operation and k.address = g.address
     where g.token_id in (select id from tokens) or g.external_key_id in (select id from keys)
  ), ranked as (
    select *, is_known or stored + row_number() over (
             partition by token_id, external_key_id, day, is_known order by calls desc, operation, address) < ${() => MAX_ROWS_PER_DAY}
           as fits
      from candidate
  )
  insert into key_use as u (token_id, external_key_id, day, operation, address, calls, last_at)
  select token_id, external_key_id, day, case when fits then operation else 'other' end as operation,
         case when fits then address else 'other' end as address, sum(calls)::int, max(last_at)
    from ranked group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (token_id, external_key_id, day, operation, address) do update
     set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at)`;

export interface KeyCallColumns {
  tokenIds: Array<number | null>;
  externalKeyIds: Array<number | null>;
  ats: Date[];
  calls: number[];
  errors: number[];
}

/** Adds to the rows of the same quarter of an hour. Locks and order as in {@link addKeyUse}. */
export const addKeyCalls = statement(z.never())<KeyCallColumns>`
  with counter as (
    select * from unnest(${(input) => input.tokenIds}::int[], ${(input) => input.externalKeyIds}::int[],
                         ${(input) => input.ats}::timestamptz[], ${(input) => input.calls}::int[],
                         ${(input) => input.errors}::int[])
                as g(token_id, external_key_id, at, calls, errors)
  ), tokens as materialized (
    select id from access_tokens where id in (select token_id from counter) for key share skip locked
  ), keys as materialized (
    select id from external_keys where id in (select external_key_id from counter) for key share skip locked
  )
  insert into key_call_stats as s (token_id, external_key_id, at, calls, errors)
  select token_id, external_key_id, at, calls, errors from counter
   where token_id in (select id from tokens) or external_key_id in (select id from keys)
   order by 1, 2, 3
  on conflict (token_id, external_key_id, at) do update
     set calls = s.calls + excluded.calls, errors = s.errors + excluded.errors`;

const KeyCallCounts = z.strictObject({
  bucket: z.int(),
  tokenId: z.int(),
  succeeded: z.int(),
  errors: z.int(),
});

/** Calls of API keys by interval and key. One scan; Prisma cannot group by an interval. */
export const countKeyCalls = statement(KeyCallCounts)<{
  userId: number;
  tokenId: number | null;
  limits: Date[];
}>`
  select ${bucketSql("s.at")} as bucket, s.token_id as "tokenId",
         sum(s.calls - s.errors)::int as succeeded, sum(s.errors)::int as errors
    from key_call_stats s
   where s.token_id = any(array(select id from access_tokens
                                 where user_id = ${({ userId }) => userId} and kind = 'api_key'
                                   and id = coalesce(${({ tokenId }) => tokenId}, id)))
     and s.external_key_id is null and ${inLimitsSql("s.at")}
   group by 1, 2`;
