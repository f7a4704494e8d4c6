import { isLocale, type Locale } from "@/server/core/locale";
import { emailKey } from "@/server/core/schema";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { RESET_PURPOSE, sendReset } from "./service/forgot";

/** Mails a reset link when an account has this address. */
export async function sendPasswordResetJob({ sealed }: { sealed: string }): Promise<void> {
  const { email, locale } = unsealPayload<{ email: string; locale: Locale }>(sealed, RESET_PURPOSE);
  await inTransaction(async (tx) => {
    const user = await tx.db.user.findUnique({
      where: { emailKey: emailKey(email) },
      select: { id: true, name: true, email: true, locale: true },
    });
    if (user) await sendReset(tx, user, isLocale(user.locale) ? user.locale : locale);
  });
}
