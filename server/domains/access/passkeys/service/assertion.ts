import { createError } from "@/server/core/errors";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { Assertion } from "../contract";
import { updatePasskeyCounter } from "../statements";
import { type Ceremony, deriveUserHandle, getRelyingParty } from "./ceremony";

export interface VerifiedPasskey {
  id: string;
  userId: number;
  counter: number;
  backedUp: boolean;
}

/** Throws `passkey_refused` for every failure. Store the counter with {@link tryRecordPasskeyUse}. */
export async function verifyAssertion(
  { db }: Pick<DbAccess, "db">,
  { rpId, challenge, userId }: Ceremony,
  { response: { userHandle: claimedHandle, ...response }, ...credential }: Assertion,
): Promise<VerifiedPasskey> {
  const passkey = await db.passkey.findUnique({
    where: { credentialId: credential.id },
    select: { id: true, userId: true, credentialId: true, publicKey: true },
  });
  if (!passkey || (userId !== null && userId !== passkey.userId)) throw createError("passkey_refused");
  if (claimedHandle && claimedHandle !== deriveUserHandle(passkey.userId))
    throw createError("passkey_refused");
  // Loaded on first use: its certificate parsers make it our heaviest package.
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: getRelyingParty().origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // `updatePasskeyCounter` compares the counter in the database.
      credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: 0 },
    });
    if (!verified) throw new Error("not verified");
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { id: passkey.id, userId: passkey.userId, counter: newCounter, backedUp: credentialBackedUp };
  } catch (cause) {
    throw createError("passkey_refused", { cause });
  }
}

/** Returns false when the counter did not grow: the passkey was probably copied. */
export async function tryRecordPasskeyUse(
  access: Pick<DbAccess, "sql">,
  { id, counter, backedUp }: VerifiedPasskey,
): Promise<boolean> {
  const rows = await updatePasskeyCounter(access, { id, counter, backedUp });
  return rows.length === 1;
}
