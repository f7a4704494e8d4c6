import type { Locale } from "@/server/core/locale";
import { findByAddress } from "@/server/domains/accounts/users/service/find";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { RESET_PURPOSE, sendReset } from "./service/forgot";

/** Mails a reset link when an account has this address. */
export async function sendPasswordResetJob({ sealed }: { sealed: string }): Promise<void> {
  const { email, locale } = unsealPayload<{ email: string; locale: Locale }>(sealed, RESET_PURPOSE);
  await inTransaction(async (tx) => {
    const user = await findByAddress(tx, email);
    if (user) await sendReset({ ...tx, locale }, user);
  });
}
