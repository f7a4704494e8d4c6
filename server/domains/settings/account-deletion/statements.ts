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

/** Row lock: sites do not change until their account is gone. */
export const lockSites = statement(z.strictObject({ id: z.int() }))<Given>`
  select id from sites where user_id = ${(given) => given.userId} order by id for update`;

interface Retired {
  ids: number[];
  /** Hashes of keys that nobody has. */
  hashes: Buffer[];
}
/** Update from a list: each site gets a unique placeholder domain and a hash of its own. */
export const retireSites = statement(z.never())<Retired>`
  update sites s
     set name = 'Silinmiş site', domain = 'deleted-' || s.id || '.invalid', search_text = '', is_active = false,
         suspended_reason = coalesce(suspended_reason, 'owner'), deleted_at = coalesce(deleted_at, now()),
         api_key_hash = dead.hash, api_key_sealed = '', api_key_last_four = '',
         system_prompt = '', welcome_message = '', bot_name = '', ai_enabled = false,
         widget_color = '#4F46E5', widget_position = 'bottom-right',
         ai_provider_key_sealed = null, ai_provider_key_last_four = null, updated_at = now()
    from unnest(${(given) => given.ids}::int[], ${(given) => given.hashes}::bytea[]) as dead(id, hash)
   where s.id = dead.id`;

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
