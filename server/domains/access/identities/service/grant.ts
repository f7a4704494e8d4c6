import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal, sealPayload, unseal } from "@/server/infrastructure/secrets/seal";
import { appleClient, type Grant, revokeGrant } from "../apple.provider";

/** Purpose of the seal on `grant_sealed`: a {@link Grant} as JSON. */
export const GRANT_PURPOSE = "apple_grant";
export const CODE_PURPOSE = "apple_code";

/**
 * Stores an authorization code: a job exchanges it when our Apple credentials are configured, else the code itself is
 * sealed.
 */
export async function keepCode(tx: Work, identityId: number, code: string): Promise<void> {
  if (appleClient()) {
    await addJob(tx, "exchange_apple_code", { identityId, sealed: sealPayload(code, CODE_PURPOSE) });
    return;
  }
  await keepGrant(tx, identityId, { authorization_code: code });
}

export async function keepGrant({ db }: Pick<Work, "db">, identityId: number, grant: Grant): Promise<void> {
  const grantSealed = seal(JSON.stringify(grant), GRANT_PURPOSE);
  // An identity that was removed meanwhile needs no grant.
  await db.externalIdentity.updateMany({ where: { id: identityId }, data: { grantSealed } });
}

/** The stored grants of an account, sealed as they are. */
export async function keptGrants({ db }: Pick<Work, "db">, userId: number): Promise<Uint8Array[]> {
  const grants = await db.externalIdentity.findMany({
    where: { userId, provider: "apple", grantSealed: { not: null } },
    select: { grantSealed: true },
  });
  return grants.map(({ grantSealed }) => grantSealed!);
}

/**
 * Revokes a stored grant at Apple, after its account is gone. Throws when Apple cannot be reached or is not
 * configured.
 */
export async function revokeKept(sealed: Uint8Array): Promise<void> {
  const client = appleClient();
  if (!client) throw new Error("Apple is not configured");
  await revokeGrant(client, JSON.parse(unseal(sealed, GRANT_PURPOSE)) as Grant);
}
