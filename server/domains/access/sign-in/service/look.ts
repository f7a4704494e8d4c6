import { outside } from "@/server/infrastructure/database/transaction";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";

/**
 * Returns the address of the account whose password a mailed link may set, for the link's page; undefined for a dead
 * one. Spends nothing. The link itself does not name it: links are kept in histories and logs.
 */
export async function lookAtReset(token: string): Promise<string | undefined> {
  if (!isToken(token, "dsr")) return undefined;
  const link = await outside().db.passwordReset.findFirst({
    where: { tokenHash: digest(token), expiresAt: { gt: new Date() } },
    select: { emailKey: true, user: { select: { email: true, emailKey: true } } },
  });
  // The link was mailed to this address; if the account's address has changed since, the link is dead.
  return link && link.user.emailKey === link.emailKey ? link.user.email : undefined;
}
