import * as z from "zod";
import type { AuditAction } from "@/server/core/domain";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { Fragment, sqlPart, statement } from "@/server/infrastructure/database/statement";

export interface NewEntry {
  actorKind: string;
  actorId: number | null;
  onBehalfOf: number | null;
  action: string;
  objectType: string | null;
  objectId: string | null;
  details: string | null;
  before: string | null;
  after: string | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
}

export type AuditAuthor = Pick<NewEntry, "actorId" | "ip" | "userAgent" | "requestId">;

/** SQL that inserts one entry per row of `rowsSql`, a `select` with the columns `id` and `details`. */
export const insertAuditEntriesSql = (entry: {
  action: AuditAction;
  objectType: Prisma.ModelName;
  rowsSql: string;
}) =>
  sqlPart<{ author: AuditAuthor }>`
    insert into audit_events (actor_kind, actor_id, ip, user_agent, request_id, action, object_type, object_id, details)
    select 'user', ${({ author }) => author.actorId}::int, ${({ author }) => author.ip}, ${({ author }) => author.userAgent},
           ${({ author }) => author.requestId}, ${new Fragment(`'${entry.action}', '${entry.objectType}'`)}, subject.id::text, subject.details
      from (${new Fragment(entry.rowsSql)}) subject`;

/** Raw SQL, because sign-ins and creations write entries in transactions that do not use Prisma. */
export const insertEntry = statement(z.never())<NewEntry>`
  insert into audit_events (actor_kind, actor_id, on_behalf_of, action, object_type, object_id, details, before, after, ip, user_agent, request_id)
  values (${(entry) => entry.actorKind}, ${(entry) => entry.actorId}, ${(entry) => entry.onBehalfOf}::int, ${(entry) => entry.action},
          ${(entry) => entry.objectType}, ${(entry) => entry.objectId}, ${(entry) => entry.details}::jsonb,
          ${(entry) => entry.before}::jsonb, ${(entry) => entry.after}::jsonb,
          ${(entry) => entry.ip}, ${(entry) => entry.userAgent}, ${(entry) => entry.requestId})`;

/** Transaction-level advisory lock: one seal at a time. Writers of entries do not take it. */
export const lockSeals = statement(z.strictObject({ locked: z.int() }))`
  select 1 as locked from pg_advisory_xact_lock(${() => ADVISORY_LOCKS.seals}::bigint)`;

const bytes = z.instanceof(Buffer<ArrayBuffer>);

/** Columns that the hashes in `hash.ts` cover. JSON is text, as PostgreSQL prints it. */
const SealableEntry = z.strictObject({
  id: z.string(),
  at: z.date(),
  actorKind: z.string(),
  actorId: z.int().nullable(),
  onBehalfOf: z.int().nullable(),
  action: z.string(),
  objectType: z.string().nullable(),
  objectId: z.string().nullable(),
  requestId: z.string().nullable(),
  details: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
});
export type SealableEntry = z.output<typeof SealableEntry>;
const ENTRY_COLUMNS_SQL = new Fragment(
  `e.id::text, e.at, e.actor_kind as "actorKind", e.actor_id as "actorId", e.on_behalf_of as "onBehalfOf", e.action,
   e.object_type as "objectType", e.object_id as "objectId", e.request_id as "requestId", e.details::text,
   e.before::text, e.after::text, e.ip, e.user_agent as "userAgent"`,
);

/** `skip locked`: the next seal takes entries that are being erased now. Uses the database clock. */
export const listUnsealedEntries = statement(SealableEntry)<{ limit: number; minAgeSeconds: number }>`
  select ${ENTRY_COLUMNS_SQL} from audit_events e
   where e.seal_id is null and e.at <= now() - make_interval(secs => ${(input) => input.minAgeSeconds}::float8)
   order by e.id limit ${(input) => input.limit}::int for update skip locked`;

export const markSealed = statement(z.never())<{
  sealId: number;
  ids: string[];
  contentHashes: string[];
  rowHashes: string[];
}>`
  update audit_events e
     set seal_id = ${(input) => input.sealId}::int, content_hash = decode(m.content, 'hex'), row_hash = decode(m.row, 'hex')
    from unnest(${(input) => input.ids}::bigint[], ${(input) => input.contentHashes}::text[], ${(input) => input.rowHashes}::text[]) as m(id, content, row)
   where e.id = m.id`;

const Seal = z.strictObject({
  id: z.int(),
  rows: z.int(),
  firstId: z.string(),
  lastId: z.string(),
  digest: bytes,
  prevHash: bytes.nullable(),
  hash: bytes,
  at: z.date(),
});
export type Seal = z.output<typeof Seal>;
const SEAL_COLUMNS_SQL = new Fragment(
  `s.id, s.rows, s.first_id::text as "firstId", s.last_id::text as "lastId", s.digest, s.prev_hash as "prevHash", s.hash, s.at`,
);

export const listSeals = statement(Seal.extend({ hasFirstEntry: z.boolean() }))<{
  afterSealId: number;
  limit: number;
}>`
  select ${SEAL_COLUMNS_SQL}, coalesce(e.seal_id = s.id, false) as "hasFirstEntry"
    from audit_seals s left join audit_events e on e.id = s.first_id
   where s.id > ${(input) => input.afterSealId}::int order by s.id limit ${(input) => input.limit}::int`;

export const listEntriesSealedUpTo = statement(
  SealableEntry.extend({ sealId: z.int(), contentHash: bytes.nullable(), rowHash: bytes.nullable() }),
)<{ afterEntryId: string; limit: number; upToSealId: number }>`
  select ${ENTRY_COLUMNS_SQL}, e.seal_id as "sealId", e.content_hash as "contentHash", e.row_hash as "rowHash"
    from audit_events e
   where e.id > ${(input) => input.afterEntryId}::bigint and e.seal_id <= ${(input) => input.upToSealId}::int
   order by e.id limit ${(input) => input.limit}::int`;

export const findSeals = statement(Seal)<{ ids: number[] }>`
  select ${SEAL_COLUMNS_SQL} from audit_seals s where s.id = any(${(input) => input.ids}::int[])`;

/** Lists the entries of one seal. The id range uses the index. */
export const listEntriesOfSeal = statement(
  SealableEntry.extend({ contentHash: bytes.nullable(), rowHash: bytes.nullable() }),
)<Pick<Seal, "id" | "firstId" | "lastId">>`
  select ${ENTRY_COLUMNS_SQL}, e.content_hash as "contentHash", e.row_hash as "rowHash"
    from audit_events e
   where e.id between ${(seal) => seal.firstId}::bigint and ${(seal) => seal.lastId}::bigint
     and e.seal_id = ${(seal) => seal.id}::int order by e.id`;

/** Deletes the entries of one seal, except those whose action is kept as evidence. */
export const deleteEntriesOfSeal = statement(z.never())<
  Pick<Seal, "id" | "firstId" | "lastId"> & { keptActions: string[] }
>`
  delete from audit_events
   where id between ${(seal) => seal.firstId}::bigint and ${(seal) => seal.lastId}::bigint
     and seal_id = ${(seal) => seal.id}::int and action <> all(${(seal) => seal.keptActions}::text[])`;

export const findStub = statement(
  z.strictObject({ id: z.int(), hash: bytes, kept: z.int(), digest: bytes, mac: bytes }),
)`select seal_id as id, hash, kept, digest, mac from audit_stubs`;

export const findAuditHead = statement(z.strictObject({ id: z.int(), hash: bytes, mac: bytes }))`
  select seal_id as id, hash, mac from audit_heads`;
