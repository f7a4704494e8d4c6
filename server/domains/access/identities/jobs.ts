import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { unsealPayload } from "@/server/infrastructure/secrets/seal";
import { appleClient, exchangeCode } from "./apple.provider";
import { CODE_PURPOSE, keepGrant } from "./service/grant";
import { keepRefreshToken, type Waiting } from "./service/waiting";

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
      ? keepGrant(tx, target.identityId, { refresh_token: token })
      : keepRefreshToken(tx, { ...unsealPayload<Waiting>(target.waiting, CODE_PURPOSE), token }),
  );
}

export async function forgetIdTokensJob(): Promise<void> {
  await outside().db.usedIdToken.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
