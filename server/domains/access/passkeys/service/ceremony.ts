import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import { invalid } from "@/server/core/errors";
import { fromNow, SECOND } from "@/server/core/time";
import type { PasskeyPurpose, Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { derivedKeys } from "@/server/infrastructure/secrets/derive";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { CEREMONY_SECONDS, PASSKEYS_MAX } from "../contract";

/** Returns the relying party from the settings, never from the request. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

/** A ceremony for an address without passkeys belongs to this id, so no account can finish it. */
export const NOBODY = 0;

/** `userId` is the account whose passkey is expected; null accepts any account, chosen on the device. */
const CEREMONY = {
  userId: true,
  challenge: true,
  rpId: true,
} as const satisfies Prisma.PasskeyChallengeSelect;
export type Ceremony = Prisma.PasskeyChallengeGetPayload<{ select: typeof CEREMONY }>;

/** Begins a ceremony; its reference is stored as a digest. */
export async function begin(
  { db }: Pick<Work, "db">,
  { purpose, userId }: { purpose: PasskeyPurpose; userId: number | null },
): Promise<{ ref: string; challenge: string }> {
  const ref = randomBytes(32).toString("base64url");
  const challenge = randomBytes(32).toString("base64url");
  await db.passkeyChallenge.create({
    data: {
      refHash: digest(ref),
      purpose,
      userId,
      challenge,
      rpId: relyingParty().id,
      expiresAt: fromNow(CEREMONY_SECONDS * SECOND),
    },
    select: { id: true },
  });
  return { ref, challenge };
}

/**
 * Deletes a ceremony before anything is verified, so that a second request, even with the same assertion, finds none.
 * Throws a `validation` error on `challenge_ref` when it is unknown, used, expired or of another kind.
 */
export function spendAssertion(
  work: Pick<Work, "db">,
  purpose: "login" | "identity",
  ref: string,
): Promise<Ceremony> {
  return spend(work, { purpose, refHash: digest(ref) });
}

/** The same for a registration by this person; without a reference it is the newest one. */
export function spendRegistration(
  work: Pick<Work, "db">,
  userId: number,
  ref: string | null | undefined,
): Promise<Ceremony> {
  return spend(work, { purpose: "register", userId, ...(ref && { refHash: digest(ref) }) });
}

async function spend(
  { db }: Pick<Work, "db">,
  where: Prisma.PasskeyChallengeWhereInput & { purpose: PasskeyPurpose },
): Promise<Ceremony> {
  const found = await db.passkeyChallenge.findFirst({
    where: { ...where, expiresAt: { gt: new Date() } },
    orderBy: { id: "desc" },
    select: { id: true, ...CEREMONY },
  });
  if (!found) throw invalid("challenge_ref", "ceremony");
  const { id, ...ceremony } = found;
  // Of several requests that found it, the one that deletes it may use it.
  const { count } = await db.passkeyChallenge.deleteMany({ where: { id } });
  if (count === 0) throw invalid("challenge_ref", "ceremony");
  return ceremony;
}

/** Under the oldest secret: what is made with it must stay the same. */
const stableKey = () => derivedKeys("passkeys").at(-1)!;

/** Returns the id that authenticators store for an account: stable, and meaningless to anybody else. */
export function userHandle(userId: number): string {
  return createHmac("sha256", stableKey()).update(`passkey-user:${userId}`).digest("base64url");
}

/** Bytes of a credential's id as password managers, platforms and security keys make them, the usual ones more often. */
const ID_BYTES = [16, 16, 16, 16, 16, 20, 20, 20, 20, 20, 32, 32, 32, 32, 48, 64];

/**
 * Returns made-up credentials for an address that has none: in number and length any that real ones may have, and the
 * same each time. Half of the addresses have one, a quarter two, and so on, up to as many as an account can have.
 */
export function decoys(emailKey: string): string[] {
  const seed = keyed("passkey-decoys", emailKey);
  const more = Array.from({ length: PASSKEYS_MAX - 1 }, (_, index) => seed[index]! % 2).indexOf(0);
  const count = more < 0 ? PASSKEYS_MAX : 1 + more;
  return Array.from({ length: count }, (_, index) =>
    keyed(`passkey-decoy-${index}`, emailKey)
      .subarray(0, ID_BYTES[seed[PASSKEYS_MAX + index]! % ID_BYTES.length])
      .toString("base64url"),
  );
}

function keyed(purpose: string, value: string): Buffer {
  return createHmac("sha512", stableKey()).update(`${purpose}:${value}`).digest();
}
