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
