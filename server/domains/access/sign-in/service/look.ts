import { outside } from "@/server/infrastructure/database/transaction";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";

/**
 * Returns the e-mail address behind a reset link, for its page; undefined for an invalid link. Does not use
 * the link up. The link does not contain the address: links end up in histories and logs.
 */
export async function lookAtReset(token: string): Promise<string | undefined> {
  if (!isToken(token, "dsr")) return undefined;
  const link = await outside().db.passwordReset.findFirst({
    where: { tokenHash: digest(token), expiresAt: { gt: new Date() } },
    select: { emailKey: true, user: { select: { email: true, emailKey: true } } },
  });
  // The link is void once the account's address has changed.
  return link && link.user.emailKey === link.emailKey ? link.user.email : undefined;
}
