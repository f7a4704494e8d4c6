import type { Locale } from "@/server/core/locale";
import { emailKey } from "@/server/core/schema";
import { DAY, fromNow } from "@/server/core/time";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { RESEND_PURPOSE, sendVerification } from "./service";
import { lockUnverified } from "./statements";

/** Mails a new link when there is an active account with this address that still needs one. */
export async function resendVerificationJob({ sealed }: { sealed: string }): Promise<void> {
  const { email, locale } = unsealPayload<{ email: string; locale: Locale }>(sealed, RESEND_PURPOSE);
  await inTransaction(async (tx) => {
    const [user] = await lockUnverified(tx, { key: emailKey(email) });
    if (user) await sendVerification({ ...tx, locale }, user);
  });
}

/** Deletes links that expired a week ago. */
export async function forgetVerificationsJob(): Promise<void> {
  await outside().db.emailVerification.deleteMany({ where: { expiresAt: { lt: fromNow(-7 * DAY) } } });
}
