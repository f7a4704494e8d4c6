import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret, isToken } from "@/server/infrastructure/secrets/tokens";

/** The link does not contain the address, because links end up in histories and logs. Does not consume it. */
export async function findResetEmail(token: string): Promise<string | undefined> {
  if (!isToken(token, "dsr")) return undefined;
  const link = await withoutTransaction().db.passwordReset.findFirst({
    where: { tokenHash: hashSecret(token), expiresAt: { gt: new Date() } },
    select: { emailKey: true, user: { select: { email: true, emailKey: true } } },
  });
  // The link is void once the account's address has changed.
  return link && link.user.emailKey === link.emailKey ? link.user.email : undefined;
}
