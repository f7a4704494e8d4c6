import * as z from "zod";
import { type AccountRelation, getRegisteredDomains } from "@/server/core/domain";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { newestMatchesStatement } from "@/server/infrastructure/database/newest-matches";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { employerActiveSql } from "./service/employer";

/** Read the account after it. `no key update` does not block inserts that refer to it, to avoid deadlocks. */
export const lockUserRow = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} for no key update`;

/** Advisory lock by name, where there is no single row to lock. */
export const takeAdvisoryLock = statement(z.strictObject({ held: z.boolean() }))<{ name: string }>`
  select true as held from pg_advisory_xact_lock(hashtextextended(${({ name }) => name}, 0))`;

export const lockAdministratorChanges = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY_LOCKS.administrators}::bigint)`;

/** Advisory lock: separates changes of accounts from changes of the two-factor requirement. */
export const lockTwoFactorRequirement = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY_LOCKS.duties}::bigint)`;

/** Locks an account's row, or returns nothing if it is locked. Does not block referencing inserts. */
export const tryLockUserRow = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} for no key update skip locked`;

/** Claims accounts whose grace period ends before a time and whose owner was not reminded of that end. */
export const claimReminders = statement(z.strictObject({ id: z.int(), enrolBy: z.date() }))<{
  before: Date;
  take: number;
}>`
  update users set enrol_reminded = enrol_by
   where id in (select id from users
                 where enrol_by < ${({ before }) => before} and enrol_reminded is distinct from enrol_by and is_active
                 order by id limit ${({ take }) => take}::int for no key update skip locked)
  returning id, enrol_by as "enrolBy"`;

export const findNewestUsers = newestMatchesStatement(
  z.strictObject({ id: z.int(), name: z.string(), email: z.string() }),
  {
    columns: "id, name, email",
    table: "users",
    condition: "anonymised_at is null",
  },
);

/** Locks the caller's account and token; returns nothing if the token is no longer valid. */
export const lockCaller = statement(z.strictObject({ id: z.int() }))<{ userId: number; tokenId: number }>`
  select u.id from users u join access_tokens t on t.user_id = u.id
   where u.id = ${({ userId }) => userId} and u.is_active and ${new Fragment(employerActiveSql("u"))}
     and t.id = ${({ tokenId }) => tokenId} and t.expires_at > now()
     for no key update of u for key share of t`;

interface AccountKey {
  userId: number;
}

export function listAccountRelations(): AccountRelation[] {
  return getRegisteredDomains()
    .flatMap(({ relations = [] }) => relations)
    .flatMap((relation) => ("rowsBelongTo" in relation ? [] : [relation]));
}

const COUNT_QUERIES = new Fragment(() =>
  listAccountRelations()
    .map(
      ({ table, column }) =>
        `select '${table}' as "table", '${column}' as "column", count(*)::int as count from ${table} where ${column} = (select id from target)`,
    )
    .join(" union all "),
);
export const countAccountRows = statement(
  z.strictObject({ table: z.string(), column: z.string(), count: z.int() }),
)<AccountKey>`
  with target as (select ${(input) => input.userId}::int as id) ${COUNT_QUERIES}`;

const FILE_QUERIES = new Fragment(() =>
  listAccountRelations()
    .flatMap(({ table, column, files = [] }) => files.map((file) => ({ table, column, file })))
    .map(
      ({ table, column, file }) =>
        `select ${file} as file from ${table} where ${column} = (select id from target) and ${file} is not null`,
    )
    .join(" union all "),
);
export const listAccountFiles = statement(z.strictObject({ file: z.string() }))<AccountKey>`
  with target as (select ${(input) => input.userId}::int as id) ${FILE_QUERIES}`;

const DELETE_CLAUSES = new Fragment(() =>
  listAccountRelations()
    .filter(({ onDeletion }) => onDeletion === "delete")
    .map(
      ({ table, column }, index) =>
        `erased_${index} as (delete from ${table} where ${column} = (select id from target))`,
    )
    .join(", "),
);
export const eraseAccountRows = statement(z.never())<AccountKey>`
  with target as (select ${(input) => input.userId}::int as id), ${DELETE_CLAUSES} select where false`;
