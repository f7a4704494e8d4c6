import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

const UnverifiedAccount = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  locale: z.string().nullable(),
  signUpLocale: z.string().nullable(),
});

/** Several accounts can have the address pending. The lock keeps only the later of two links valid. */
export const lockUnverifiedAccounts = statement(UnverifiedAccount)<{ emailKey: string }>`
  select id, name, coalesce(pending_email, email) as email, locale, sign_up_locale as "signUpLocale" from users
   where ((email_key = ${({ emailKey }) => emailKey} and email_verified_at is null) or pending_email_key = ${({ emailKey }) => emailKey})
     and is_active
   order by id desc limit 5
     for no key update`;
