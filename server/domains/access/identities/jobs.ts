import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { exchangeAppleCode, getAppleClient } from "./apple.provider";
import { APPLE_CODE_SEAL_PURPOSE, storeAppleGrant } from "./service/apple-grant";
import { type PendingAppleExchange, storeAppleRefreshToken } from "./service/pending-identity";

/** Exchanges Apple's code. `waiting`: sealed `PendingAppleExchange` of a sign-in without its second factor. */
export async function exchangeAppleCodeJob({
  sealed,
  ...target
}: { sealed: string } & ({ identityId: number } | { waiting: string })): Promise<void> {
  const client = getAppleClient();
  if (!client) return;
  const token = await exchangeAppleCode(client, unsealPayload<string>(sealed, APPLE_CODE_SEAL_PURPOSE));
  if (!token) return;
  await inTransaction((tx) =>
    "identityId" in target
      ? storeAppleGrant(tx, target.identityId, { refresh_token: token })
      : storeAppleRefreshToken(tx, {
          ...unsealPayload<PendingAppleExchange>(target.waiting, APPLE_CODE_SEAL_PURPOSE),
          token,
        }),
  );
}

export async function deleteExpiredIdTokensJob(): Promise<void> {
  await withoutTransaction().db.usedIdToken.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
