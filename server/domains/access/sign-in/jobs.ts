import type { Locale } from "@/server/core/locale";
import { findUserByEmail } from "@/server/domains/accounts/users/service/find";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { mailPasswordResetLink, PASSWORD_RESET_SEAL_PURPOSE } from "./service/request-reset";

export async function sendPasswordResetJob({ sealed }: { sealed: string }): Promise<void> {
  const { email, locale } = unsealPayload<{ email: string; locale: Locale }>(
    sealed,
    PASSWORD_RESET_SEAL_PURPOSE,
  );
  await inTransaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user) await mailPasswordResetLink({ ...tx, locale }, user);
  });
}

export async function deleteExpiredSignInSecretsJob(): Promise<void> {
  const { db } = withoutTransaction();
  const where = { expiresAt: { lt: new Date() } };
  await db.interimToken.deleteMany({ where });
  await db.passwordReset.deleteMany({ where });
  await db.trustedDevice.deleteMany({ where });
}

export async function deleteExpiredReviewsJob(): Promise<void> {
  await withoutTransaction().db.additionReview.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
