import { refuse } from "@/server/core/errors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { Assertion } from "../contract";
import { updateCounter } from "../statements";
import { type Ceremony, relyingParty, userHandle } from "./ceremony";

export interface VerifiedPasskey {
  id: string;
  userId: number;
  counter: number;
  backedUp: boolean;
}

/**
 * Throws the same `passkey_refused` for an unknown credential and a wrong signature. The caller stores the
 * counter.
 */
export async function verifyAssertion(
  { db }: Pick<DbAccess, "db">,
  { rpId, challenge, userId }: Ceremony,
  { response: { userHandle: handle, ...response }, ...credential }: Assertion,
): Promise<VerifiedPasskey> {
  const key = await db.passkey.findUnique({
    where: { credentialId: credential.id },
    select: { id: true, userId: true, credentialId: true, publicKey: true },
  });
  if (!key || (userId !== null && userId !== key.userId)) throw refuse("passkey_refused");
  if (handle && handle !== userHandle(key.userId)) throw refuse("passkey_refused");
  // Loaded on first use: its certificate parsers make it our heaviest package.
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty().origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // `updateCounter` compares the counter in the database.
      credential: { id: key.credentialId, publicKey: key.publicKey, counter: 0 },
    });
    if (!verified) throw new Error("not verified");
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { id: key.id, userId: key.userId, counter: newCounter, backedUp: credentialBackedUp };
  } catch (cause) {
    throw refuse("passkey_refused", { cause });
  }
}

/** False when the counter did not grow, the sign of a copied key; see `updateCounter`. */
export async function recordPasskeyUse(
  work: Pick<DbAccess, "sql">,
  { id, counter, backedUp }: VerifiedPasskey,
): Promise<boolean> {
  const rows = await updateCounter(work, { id, counter, backedUp });
  return rows.length === 1;
}
