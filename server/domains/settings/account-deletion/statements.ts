import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { RETENTION_YEARS } from "./policy";

interface AccountKey {
  userId: number;
}

const AccountData = z.strictObject({
  name: z.string(),
  email: z.string(),
  emailKey: z.string(),
  locale: z.string().nullable(),
  signUpLocale: z.string().nullable(),
  avatarUrl: z.string().nullable(),
});
/** `for update`: a second deletion waits and finds nothing, and no new row can refer to the account. */
export const lockAccountForErasure = statement(AccountData)<AccountKey>`
  select name, email, email_key as "emailKey", locale, sign_up_locale as "signUpLocale", avatar_url as "avatarUrl"
    from users where id = ${(input) => input.userId} and anonymised_at is null for update`;

/** Shared row lock: no code is written for an account that is being deleted. */
export const shareLockAccountRow = statement(
  AccountData.pick({ name: true, email: true, locale: true, signUpLocale: true }),
)<AccountKey>`
  select name, email, locale, sign_up_locale as "signUpLocale" from users where id = ${(input) => input.userId} and anonymised_at is null for share`;

export const deleteRateLimits = statement(z.never())<{ emailKey: string }>`
  delete from rate_limits
   where split_part(substr(key, strpos(key, ':') + 1), '|', 1) = ${(input) => input.emailKey}`;

export const listExpiredAccounts = statement(z.strictObject({ id: z.int() }))<{ limit: number }>`
  select id from users
   where extract(year from anonymised_at at time zone 'Europe/Istanbul') + ${() => RETENTION_YEARS}::int
         < extract(year from now() at time zone 'Europe/Istanbul')
   order by id limit ${(input) => input.limit}`;
