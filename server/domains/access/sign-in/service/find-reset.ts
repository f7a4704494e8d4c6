import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";

/**
 * For the page of a reset link, which does not contain the address: links end up in histories and logs.
 * Undefined for an invalid link; does not use it up.
 */
export async function findResetEmail(token: string): Promise<string | undefined> {
  if (!isToken(token, "dsr")) return undefined;
  const link = await withoutTransaction().db.passwordReset.findFirst({
    where: { tokenHash: digest(token), expiresAt: { gt: new Date() } },
    select: { emailKey: true, user: { select: { email: true, emailKey: true } } },
  });
  // The link is void once the account's address has changed.
  return link && link.user.emailKey === link.emailKey ? link.user.email : undefined;
}
