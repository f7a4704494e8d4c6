import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret, isToken } from "@/server/infrastructure/secrets/tokens";

/**
 * Returns the account's address for a reset link, which does not contain it: links end up in histories and
 * logs. Does not consume the link.
 */
export async function findResetEmail(token: string): Promise<string | undefined> {
  if (!isToken(token, "dsr")) return undefined;
  const link = await withoutTransaction().db.passwordReset.findFirst({
    where: { tokenHash: hashSecret(token), expiresAt: { gt: new Date() } },
    select: { emailKey: true, user: { select: { email: true, emailKey: true } } },
  });
  // The link is void once the account's address has changed.
  return link && link.user.emailKey === link.emailKey ? link.user.email : undefined;
}
