import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { exchangeAppleCode, getAppleClient } from "./apple.provider";
import { CODE_SEAL_PURPOSE, storeGrant } from "./service/grant";
import { type PendingExchange, storeRefreshToken } from "./service/pending-identity";

/** Exchanges Apple's code. `waiting` is a sealed `PendingExchange` of a sign-in without its second factor. */
export async function exchangeAppleCodeJob({
  sealed,
  ...target
}: { sealed: string } & ({ identityId: number } | { waiting: string })): Promise<void> {
  const client = getAppleClient();
  if (!client) return;
  const token = await exchangeAppleCode(client, unsealPayload<string>(sealed, CODE_SEAL_PURPOSE));
  if (!token) return;
  await inTransaction((tx) =>
    "identityId" in target
      ? storeGrant(tx, target.identityId, { refresh_token: token })
      : storeRefreshToken(tx, {
          ...unsealPayload<PendingExchange>(target.waiting, CODE_SEAL_PURPOSE),
          token,
        }),
  );
}

export async function deleteExpiredIdTokensJob(): Promise<void> {
  await withoutTransaction().db.usedIdToken.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
