import type { Locale } from "@/server/core/locale";
import { findByAddress } from "@/server/domains/accounts/users/service/find";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { RESET_PURPOSE, sendReset } from "./service/forgot";

export async function sendPasswordResetJob({ sealed }: { sealed: string }): Promise<void> {
  const { email, locale } = unsealPayload<{ email: string; locale: Locale }>(sealed, RESET_PURPOSE);
  await inTransaction(async (tx) => {
    const user = await findByAddress(tx, email);
    if (user) await sendReset({ ...tx, locale }, user);
  });
}

export async function forgetSignInsJob(): Promise<void> {
  const { db } = outside();
  const where = { expiresAt: { lt: new Date() } };
  await db.interimToken.deleteMany({ where });
  await db.passwordReset.deleteMany({ where });
  await db.trustedDevice.deleteMany({ where });
}

export async function forgetReviewsJob(): Promise<void> {
  await outside().db.additionReview.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
