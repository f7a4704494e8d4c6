import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal, sealPayload, unseal } from "@/server/infrastructure/secrets/seal";
import { appleClient, type Grant, revokeGrant } from "../apple.provider";

export const GRANT_PURPOSE = "apple_grant";
export const CODE_PURPOSE = "apple_code";

/** With Apple credentials a job exchanges the code; without them the code itself is stored. */
export async function storeCode(tx: DbAccess, identityId: number, code: string): Promise<void> {
  if (appleClient()) {
    await addJob(tx, "exchange_apple_code", { identityId, sealed: sealPayload(code, CODE_PURPOSE) });
    return;
  }
  await storeGrant(tx, identityId, { authorization_code: code });
}

export async function storeGrant(
  { db }: Pick<DbAccess, "db">,
  identityId: number,
  grant: Grant,
): Promise<void> {
  const grantSealed = seal(JSON.stringify(grant), GRANT_PURPOSE);
  // No row for an identity that was removed in between.
  await db.externalIdentity.updateMany({ where: { id: identityId }, data: { grantSealed } });
}

export async function listSealedGrants({ db }: Pick<DbAccess, "db">, userId: number): Promise<Uint8Array[]> {
  const grants = await db.externalIdentity.findMany({
    where: { userId, provider: "apple", grantSealed: { not: null } },
    select: { grantSealed: true },
  });
  return grants.map(({ grantSealed }) => grantSealed!);
}

/** Runs after the account was deleted. Throws when Apple fails or is not configured. */
export async function revokeSealedGrant(sealed: Uint8Array): Promise<void> {
  const client = appleClient();
  if (!client) throw new Error("Apple is not configured");
  await revokeGrant(client, JSON.parse(unseal(sealed, GRANT_PURPOSE)) as Grant);
}
