import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { appleClient, exchangeCode } from "./apple.provider";
import { CODE_PURPOSE, keepGrant } from "./service/grant";

/** Exchanges Apple's authorization code while it is good; without the answer the account works all the same. */
export async function exchangeAppleCodeJob({
  identityId,
  sealed,
}: {
  identityId: number;
  sealed: string;
}): Promise<void> {
  const client = appleClient();
  if (!client) return;
  const token = await exchangeCode(client, unsealPayload<string>(sealed, CODE_PURPOSE));
  if (token) await inTransaction((tx) => keepGrant(tx, identityId, { refresh_token: token }));
}

/** Forgets which id_tokens were used, once they have ended. */
export async function forgetIdTokensJob(): Promise<void> {
  await outside().db.usedIdToken.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
