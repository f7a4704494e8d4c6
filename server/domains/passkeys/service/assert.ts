import { verifyAuthenticationResponse } from "@simplewebauthn/server";
import { refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import type { Assertion } from "../contract";
import { type Ceremony, relyingParty, userHandle } from "./ceremony";

/** A passkey that has just proven itself. */
export interface Proven {
  id: string;
  userId: number;
  counter: number;
  backedUp: boolean;
}

interface KeyRow {
  id: string;
  user_id: number;
  credential_id: string;
  public_key: Buffer;
}

/**
 * Verifies an assertion against its ceremony; the counter is the caller's to store. Throws `passkey_refused`,
 * one answer for a credential nobody has and for a signature that does not fit.
 */
export async function verifyAssertion(
  { sql }: Pick<Work, "sql">,
  { rpId, challenge, userId }: Ceremony,
  { response: { userHandle: handle, ...response }, ...credential }: Assertion,
): Promise<Proven> {
  const [key] = await sql<KeyRow>`
    select id, user_id, credential_id, public_key from passkeys where credential_id = ${credential.id}`;
  if (!key || (userId !== null && userId !== key.user_id)) throw refuse("passkey_refused");
  if (handle && handle !== userHandle(key.user_id)) throw refuse("passkey_refused");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty().origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // The stored counter is compared where it is stored, in one statement.
      credential: { id: key.credential_id, publicKey: Uint8Array.from(key.public_key), counter: 0 },
    });
    if (!verified) throw new Error("not verified");
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { id: key.id, userId: key.user_id, counter: newCounter, backedUp: credentialBackedUp };
  } catch (cause) {
    throw refuse("passkey_refused", { cause });
  }
}

/**
 * Stores the counter of a use. False when it did not grow, the sign of a copied key; synced passkeys do not
 * count, and neither do authenticators that always say zero.
 */
export async function noteUse(
  { sql }: Pick<Work, "sql">,
  { id, counter, backedUp }: Proven,
): Promise<boolean> {
  const noted = await sql`
    update passkeys set counter = greatest(counter, ${counter}::bigint), backed_up = ${backedUp}, last_used_at = now()
     where id = ${id} and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0) or backed_up)
    returning id`;
  return noted.length === 1;
}
