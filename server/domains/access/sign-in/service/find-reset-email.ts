import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";

/** Does not consume the link. The link omits the address, because links end up in histories and logs. */
export async function findResetEmail(token: string): Promise<string | undefined> {
  if (!isWellFormedToken(token, "dsr")) return undefined;
  const link = await withoutTransaction().db.passwordReset.findFirst({
    where: { tokenHash: hashSecret(token), expiresAt: { gt: new Date() } },
    select: { emailKey: true, user: { select: { email: true, emailKey: true } } },
  });
  return link && link.user.emailKey === link.emailKey ? link.user.email : undefined;
}
