import * as z from "zod";
import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { newestOf } from "@/server/infrastructure/database/newest";
import { statement } from "@/server/infrastructure/database/statement";

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
