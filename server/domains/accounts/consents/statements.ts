import * as z from "zod";
import type { StoredStub } from "@/server/infrastructure/chain";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { statement } from "@/server/infrastructure/database/statement";
import { CONSENTS, MANDATORY_CONSENTS } from "./contract";

/** Lock order: call it before {@link lockLedger}, as an erasure does. */
export const lockAccountForShare = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} and anonymised_at is null for key share`;

/** Transaction-level advisory lock: serialises appends. */
export const lockLedger = statement(z.strictObject({ locked: z.int() }))`
  select 1 as locked from pg_advisory_xact_lock(${() => ADVISORY_LOCKS.consents}::bigint)`;

/** Reserves ids from the sequence: the hash of an entry includes its id. */
export const reserveEntryIds = statement(z.strictObject({ id: z.int() }))<{ count: number }>`
  select nextval(pg_get_serial_sequence('consent_records', 'id'))::int as id
    from generate_series(1, ${(input) => input.count}::int)`;

export const listStubs = statement(z.strictObject({ details: z.custom<StoredStub>() }))`
  select details from audit_events where action = 'consents.erased'`;

const bytes = z.instanceof(Buffer<ArrayBuffer>);
/** Raw SQL: the chain command and the check run without Prisma. */
export const findHead = statement(
  z.strictObject({ count: z.int(), id: z.int(), hash: bytes, mac: bytes }),
)`select count, last_id as id, hash, mac from consent_heads`;

export const listRecordedHeads = statement(
  z.strictObject({ count: z.int(), id: z.int(), hash: z.string(), mac: z.string() }),
)`
  select (details->>'count')::int as count, (details->>'id')::int as id, details->>'hash' as hash, details->>'mac' as mac
    from audit_events e where action = 'consents.sealed' order by e.id`;

const Entry = z.strictObject({
  id: z.int(),
  userId: z.int(),
  key: z.string(),
  granted: z.boolean(),
  textVersion: z.string(),
  textHash: z.string(),
  locale: z.string(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  source: z.string(),
  createdAt: z.date(),
  prevHash: bytes.nullable(),
  hash: bytes.nullable(),
});
export const listEntries = statement(Entry)<{ afterId: number; limit: number }>`
  select id, user_id as "userId", key, granted, text_version as "textVersion", text_hash as "textHash", locale, ip,
         user_agent as "userAgent", source, created_at as "createdAt", prev_hash as "prevHash", hash
    from consent_records where id > ${(input) => input.afterId} order by id limit ${(input) => input.limit}`;

/** Lists the newest decision for each key. Prisma would evaluate `distinct` in memory. */
export const listLatestConsents = statement(
  z.strictObject({
    key: z.enum(CONSENTS),
    granted: z.boolean(),
    textVersion: z.string(),
    locale: z.string(),
    ip: z.string().nullable(),
    source: z.string(),
    createdAt: z.date(),
  }),
)<{ userId: number }>`
  select distinct on (key) key, granted, text_version as "textVersion", locale, ip, source, created_at as "createdAt"
    from consent_records where user_id = ${(input) => input.userId} order by key, id desc`;

/** Administrators need none. Without a row, one is missing only if a provider opened the account. */
export const listMissingConsents = statement(z.strictObject({ key: z.enum(MANDATORY_CONSENTS) }))<{
  userId: number;
}>`
  select key from users, unnest(${() => MANDATORY_CONSENTS}::text[]) with ordinality as asked(key, place)
   where users.id = ${(input) => input.userId} and users.role <> 'admin'
     and coalesce((select not granted from consent_records
                    where user_id = users.id and key = asked.key order by id desc limit 1), users.provider is not null)
   order by place`;

export const countGrantedConsents = statement(z.strictObject({ count: z.int() }))<{ key: string }>`
  select count(*)::int as count
    from (select distinct on (user_id) user_id, granted from consent_records
           where key = ${(input) => input.key} order by user_id, id desc) newest
    join users on users.id = newest.user_id and users.anonymised_at is null
   where newest.granted`;
