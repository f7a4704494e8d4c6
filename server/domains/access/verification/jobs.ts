import type { Locale } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import { DAY, fromNow } from "@/server/core/time";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { sendVerificationMail } from "./service/verification-mail";
import { RESEND_SEAL_PURPOSE } from "./service/verify-email";
import { lockUnverifiedAccounts } from "./statements";

export async function resendVerificationJob({ sealed }: { sealed: string }): Promise<void> {
  const { email, locale } = unsealPayload<{ email: string; locale: Locale }>(sealed, RESEND_SEAL_PURPOSE);
  await inTransaction(async (tx) => {
    const users = await lockUnverifiedAccounts(tx, { emailKey: toEmailKey(email) });
    for (const user of users) await sendVerificationMail({ ...tx, locale }, user);
  });
}

/** Keeps rows for a week, so that a second use can still be reported (`verification_repeated`). */
export async function deleteExpiredVerificationsJob(): Promise<void> {
  await withoutTransaction().db.emailVerification.deleteMany({
    where: { expiresAt: { lt: fromNow(-7 * DAY) } },
  });
}
