import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { KEPT_YEARS } from "./policy";

interface Given {
  userId: number;
}

const Person = z.strictObject({
  name: z.string(),
  email: z.string(),
  emailKey: z.string(),
  locale: z.string().nullable(),
  avatarUrl: z.string().nullable(),
});
/** Row lock: a second deletion finds no account, and nothing new refers to it meanwhile. */
export const lockPerson = statement(Person)<Given>`
  select name, email, email_key as "emailKey", locale, avatar_url as "avatarUrl"
    from users where id = ${(given) => given.userId} and anonymised_at is null for update`;

/** Row lock, shared: a code is not written for an account that is about to end. */
export const sharePerson = statement(Person.pick({ name: true, email: true, locale: true }))<Given>`
  select name, email, locale from users where id = ${(given) => given.userId} and anonymised_at is null for share`;

/** An expression: the address is part of the counters' keys. */
export const forgetCounters = statement(z.never())<{ emailKey: string }>`
  delete from rate_limits
   where split_part(substr(key, strpos(key, ':') + 1), '|', 1) = ${(given) => given.emailKey}`;

/** An expression: the legal period follows Turkey's calendar. */
export const listExpired = statement(z.strictObject({ id: z.int() }))<{ limit: number }>`
  select id from users
   where extract(year from anonymised_at at time zone 'Europe/Istanbul') + ${() => KEPT_YEARS}::int
         < extract(year from now() at time zone 'Europe/Istanbul')
   order by id limit ${(given) => given.limit}`;

/**
 * What a reseller pays for sites of others becomes their owners': a year that is paid runs to its end, and what is open they
 * may pay, or it ends like any other. Compares two tables.
 */
export const handLicences = statement(z.never())<Given>`
  update site_licences l set user_id = s.user_id
    from sites s
   where s.id = l.site_id and s.user_id <> l.user_id and s.deleted_at is null
     and l.user_id = ${(given) => given.userId} and l.status in ('pending', 'active')`;
