import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal, sealPayload, unseal } from "@/server/infrastructure/secrets/seal";
import { type AppleGrant, getAppleClient, revokeAppleGrant } from "../apple.provider";

export const APPLE_GRANT_SEAL_PURPOSE = "apple_grant";
export const APPLE_CODE_SEAL_PURPOSE = "apple_code";

/** Queues the exchange of the code; without Apple credentials stores the code itself. */
export async function storeAppleCode(tx: DbAccess, identityId: number, code: string): Promise<void> {
  if (getAppleClient()) {
    await addJob(tx, "exchange_apple_code", {
      identityId,
      sealed: sealPayload(code, APPLE_CODE_SEAL_PURPOSE),
    });
    return;
  }
  await storeAppleGrant(tx, identityId, { authorization_code: code });
}

export async function storeAppleGrant(
  { db }: Pick<DbAccess, "db">,
  identityId: number,
  grant: AppleGrant,
): Promise<void> {
  const grantSealed = seal(JSON.stringify(grant), APPLE_GRANT_SEAL_PURPOSE);
  // Updates no row if the identity was removed in the meantime.
  await db.externalIdentity.updateMany({ where: { id: identityId }, data: { grantSealed } });
}

export async function listSealedAppleGrants(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<Uint8Array[]> {
  const grants = await db.externalIdentity.findMany({
    where: { userId, provider: "apple", grantSealed: { not: null } },
    select: { grantSealed: true },
  });
  return grants.map(({ grantSealed }) => grantSealed!);
}

/** Runs after the account was deleted. Throws when Apple fails or is not configured. */
export async function revokeSealedAppleGrant(sealed: Uint8Array): Promise<void> {
  const client = getAppleClient();
  if (!client) throw new Error("Apple is not configured");
  await revokeAppleGrant(client, JSON.parse(unseal(sealed, APPLE_GRANT_SEAL_PURPOSE)) as AppleGrant);
}
