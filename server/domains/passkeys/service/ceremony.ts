import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import { invalid } from "@/server/core/errors";
import { fromNow, SECOND } from "@/server/core/time";
import type { Work } from "@/server/infrastructure/database/transaction";
import { derivedKey } from "@/server/infrastructure/secrets/derive";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { CEREMONY_SECONDS } from "../contract";

/** Whom passkeys are made for, from the settings: never from the request. */
export function relyingParty(): { id: string; name: string; origin: string } {
  const { APP_URL, APP_NAME } = env();
  const { hostname, origin } = new URL(APP_URL);
  return { id: hostname, name: APP_NAME, origin };
}

/** Bound to an address without passkeys, a ceremony can be finished by no account. */
export const NOBODY = 0;

export interface Ceremony {
  /** Whose passkey it takes; null: whoever's, chosen on the device. */
  userId: number | null;
  challenge: string;
  rpId: string;
}

/** Begins a ceremony; its reference is stored as a digest. */
export async function begin(
  { sql }: Pick<Work, "sql">,
  { purpose, userId }: { purpose: "login" | "register"; userId: number | null },
): Promise<{ ref: string; challenge: string }> {
  const ref = randomBytes(32).toString("base64url");
  const challenge = randomBytes(32).toString("base64url");
  await sql`
    insert into passkey_challenges (ref_hash, purpose, user_id, challenge, rp_id, expires_at)
    values (${digest(ref)}, ${purpose}::"PasskeyPurpose", ${userId}, ${challenge}, ${relyingParty().id},
            ${fromNow(CEREMONY_SECONDS * SECOND)})`;
  return { ref, challenge };
}

/**
 * Ends a ceremony before anything is verified: whoever comes second, even with the same answer, finds none.
 * Throws a `validation` error of `challenge_ref` for one that is unknown, used, expired or for something else.
 */
export async function spendLogin({ sql }: Pick<Work, "sql">, ref: string): Promise<Ceremony> {
  const [row] = await sql<Ceremony>`
    delete from passkey_challenges where ref_hash = ${digest(ref)} and purpose = 'login' and expires_at > now()
    returning user_id as "userId", challenge, rp_id as "rpId"`;
  if (!row) throw invalid("challenge_ref", "ceremony");
  return row;
}

/** The same for a registration, of this person only; without a reference it is the newest one. */
export async function spendRegistration(
  { sql }: Pick<Work, "sql">,
  userId: number,
  ref: string | null | undefined,
): Promise<Ceremony> {
  const [row] = await sql<Ceremony>`
    delete from passkey_challenges where id = (
      select id from passkey_challenges
       where user_id = ${userId} and purpose = 'register' and expires_at > now()
         and (${ref ? digest(ref) : null}::bytea is null or ref_hash = ${ref ? digest(ref) : null})
       order by id desc limit 1)
    returning user_id as "userId", challenge, rp_id as "rpId"`;
  if (!row) throw invalid("challenge_ref", "ceremony");
  return row;
}

/** What an authenticator knows an account by: stable, and without meaning to anybody else. */
export function userHandle(userId: number): string {
  return keyed("passkey-user", String(userId)).toString("base64url");
}

/** Credentials of an address that has none: as many and as long as real ones, and the same each time. */
export function decoys(emailKey: string): string[] {
  const seed = keyed("passkey-decoys", emailKey);
  const count = 1 + (seed[0]! % 2);
  return Array.from({ length: count }, (_, index) =>
    keyed(`passkey-decoy-${index}`, emailKey)
      .subarray(0, seed[1 + index]! % 2 ? 32 : 20)
      .toString("base64url"),
  );
}

function keyed(purpose: string, value: string): Buffer {
  return createHmac("sha256", derivedKey("passkeys")).update(`${purpose}:${value}`).digest();
}
