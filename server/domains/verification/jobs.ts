import { isLocale, type Locale } from "@/server/core/locale";
import { emailKey } from "@/server/core/schema";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { RESEND_PURPOSE, sendVerification } from "./service";

/** Mails a new link when there is an active account with this address that still needs one. */
export async function resendVerificationJob({ sealed }: { sealed: string }): Promise<void> {
  const { email, locale } = unsealPayload<{ email: string; locale: Locale }>(sealed, RESEND_PURPOSE);
  await inTransaction(async (tx) => {
    const { sql } = tx;
    const [user] = await sql<{ id: number; name: string; email: string; locale: string | null }>`
      select id, name, email, locale from users
       where email_key = ${emailKey(email)} and email_verified_at is null and is_active for update`;
    if (user) await sendVerification({ sql, locale: isLocale(user.locale) ? user.locale : locale }, user);
  });
}
