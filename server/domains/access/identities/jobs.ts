import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { appleClient, exchangeCode } from "./apple.provider";
import { CODE_PURPOSE, storeGrant } from "./service/grant";
import { type PendingExchange, storeRefreshToken } from "./service/pending-identity";

/** Exchanges Apple's authorization code before it expires. The account works without the result. */
export async function exchangeAppleCodeJob({
  sealed,
  ...target
}: { sealed: string } & ({ identityId: number } | { waiting: string })): Promise<void> {
  const client = appleClient();
  if (!client) return;
  const token = await exchangeCode(client, unsealPayload<string>(sealed, CODE_PURPOSE));
  if (!token) return;
  await inTransaction((tx) =>
    "identityId" in target
      ? storeGrant(tx, target.identityId, { refresh_token: token })
      : storeRefreshToken(tx, { ...unsealPayload<PendingExchange>(target.waiting, CODE_PURPOSE), token }),
  );
}

export async function deleteExpiredIdTokensJob(): Promise<void> {
  await withoutTransaction().db.usedIdToken.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
