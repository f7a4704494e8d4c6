import * as z from "zod";
import { type AccountRelation, declared } from "@/server/core/domain";
import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { newestOf } from "@/server/infrastructure/database/newest";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { isEmployerActive } from "./service/employer";

/**
 * Row lock. Rows that refer to the account need not wait: whoever inserts one while holding something else would wait in
 * a circle. Only an erasure keeps them out. Read the account after it.
 */
export const lockRow = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} for no key update`;

/** Advisory lock by name, where there is no row to lock, or more than one. */
export const lockHash = statement(z.strictObject({ held: z.boolean() }))<{ name: string }>`
  select true as held from pg_advisory_xact_lock(hashtextextended(${({ name }) => name}, 0))`;

/** Advisory lock: administrators come and go one after the other. */
export const lockRole = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY.administrators}::bigint)`;

/** Advisory lock: an account is changed before who needs a second factor is, or after it. */
export const lockDuties = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY.duties}::bigint)`;

/**
 * Row lock that does not wait: what somebody else holds is left out. Rows may still refer to the account meanwhile, as
 * a site does that is created under the lock of its slots.
 */
export const takeRow = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} for no key update skip locked`;

/** Compares two columns: whose days of grace end before a moment, and who was not mailed about that end. */
export const takeReminders = statement(z.strictObject({ id: z.int(), enrolBy: z.date() }))<{
  before: Date;
  take: number;
}>`
  update users set enrol_reminded = enrol_by
   where id in (select id from users
                 where enrol_by < ${({ before }) => before} and enrol_reminded is distinct from enrol_by and is_active
                 order by id limit ${({ take }) => take}::int for no key update skip locked)
  returning id, enrol_by as "enrolBy"`;

/** Shape: see {@link newestOf}. */
export const findNewest = newestOf(z.strictObject({ id: z.int(), name: z.string(), email: z.string() }), {
  columns: "id, name, email",
  table: "users",
  living: "anonymised_at is null",
});

/** Row locks on a caller's account and token. */
export const lockCaller = statement(z.strictObject({ id: z.int() }))<{ userId: number; tokenId: number }>`
  select u.id from users u join access_tokens t on t.user_id = u.id
   where u.id = ${({ userId }) => userId} and u.is_active and ${new Fragment(isEmployerActive("u"))}
     and t.id = ${({ tokenId }) => tokenId} and t.expires_at > now()
     for no key update of u for key share of t`;

interface Given {
  userId: number;
}

/** Every column that refers to an account, as the domains declare them. */
export function accountRelations(): AccountRelation[] {
  return declared()
    .flatMap(({ relations = [] }) => relations)
    .flatMap((relation) => ("of" in relation ? [] : [relation]));
}

const COUNTS = new Fragment(() =>
  accountRelations()
    .map(
      ({ table, column }) =>
        `select '${table}' as "table", '${column}' as "column", count(*)::int as count from ${table} where ${column} = (select id from target)`,
    )
    .join(" union all "),
);
/** Built from the declared relations: counts the rows of each. */
export const countRows = statement(
  z.strictObject({ table: z.string(), column: z.string(), count: z.int() }),
)<Given>`
  with target as (select ${(given) => given.userId}::int as id) ${COUNTS}`;

const FILES = new Fragment(() =>
  accountRelations()
    .flatMap(({ table, column, files = [] }) => files.map((file) => ({ table, column, file })))
    .map(
      ({ table, column, file }) =>
        `select ${file} as file from ${table} where ${column} = (select id from target) and ${file} is not null`,
    )
    .join(" union all "),
);
/** Built from the declared relations: the stored files of the rows. */
export const listFiles = statement(z.strictObject({ file: z.string() }))<Given>`
  with target as (select ${(given) => given.userId}::int as id) ${FILES}`;

const DELETES = new Fragment(() =>
  accountRelations()
    .filter(({ onDeletion }) => onDeletion === "delete")
    .map(
      ({ table, column }, index) =>
        `erased_${index} as (delete from ${table} where ${column} = (select id from target))`,
    )
    .join(", "),
);
/** Built from the declared relations: deletes all rows under the rule `delete` at once. */
export const eraseRows = statement(z.never())<Given>`
  with target as (select ${(given) => given.userId}::int as id), ${DELETES} select where false`;
