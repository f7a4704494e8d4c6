import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import { invalid } from "@/server/core/errors";
import { fromNow, SECOND } from "@/server/core/time";
import type { PasskeyPurpose, Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { derivedKeys } from "@/server/infrastructure/secrets/derive";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { CEREMONY_SECONDS, PASSKEYS_MAX } from "../contract";

/** From the settings, never from the request. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

/** Account id of a ceremony for an address without passkeys: no account can finish it. */
export const NO_ACCOUNT = 0;

/** `userId` is the expected account; null accepts any, chosen on the device. */
const CEREMONY = {
  userId: true,
  challenge: true,
  rpId: true,
} as const satisfies Prisma.PasskeyChallengeSelect;
export type Ceremony = Prisma.PasskeyChallengeGetPayload<{ select: typeof CEREMONY }>;

export async function startCeremony(
  { db }: Pick<DbAccess, "db">,
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
 * Deletes a ceremony before anything is verified, so that it works once. Throws `validation` on
 * `challenge_ref`.
 */
export function consumeAssertionCeremony(
  work: Pick<DbAccess, "db">,
  purpose: "login" | "identity",
  ref: string,
): Promise<Ceremony> {
  return spend(work, { purpose, refHash: digest(ref) });
}

/** Without a reference, the account's newest registration. */
export function consumeRegistrationCeremony(
  work: Pick<DbAccess, "db">,
  userId: number,
  ref: string | null | undefined,
): Promise<Ceremony> {
  return spend(work, { purpose: "register", userId, ...(ref && { refHash: digest(ref) }) });
}

async function spend(
  { db }: Pick<DbAccess, "db">,
  where: Prisma.PasskeyChallengeWhereInput & { purpose: PasskeyPurpose },
): Promise<Ceremony> {
  const row = await db.passkeyChallenge.findFirst({
    where: { ...where, expiresAt: { gt: new Date() } },
    orderBy: { id: "desc" },
    select: { id: true, ...CEREMONY },
  });
  if (!row) throw invalid("challenge_ref", "ceremony");
  const { id, ...ceremony } = row;
  // Only the request that deletes the ceremony may use it.
  const { count } = await db.passkeyChallenge.deleteMany({ where: { id } });
  if (count === 0) throw invalid("challenge_ref", "ceremony");
  return ceremony;
}

/** From the oldest secret: user handles and decoys must not change when secrets are rotated. */
const stableKey = () => derivedKeys("passkeys").at(-1)!;

/** User handle that authenticators store: stable, and meaningless to others. */
export function userHandle(userId: number): string {
  return createHmac("sha256", stableKey()).update(`passkey-user:${userId}`).digest("base64url");
}

/** Lengths of credential ids in bytes, weighted by how common they are. */
const ID_BYTES = [16, 16, 16, 16, 16, 20, 20, 20, 20, 20, 32, 32, 32, 32, 48, 64];

/**
 * Made-up credential ids for an address without passkeys, always the same. Half of the addresses get one, a
 * quarter two, and so on.
 */
export function decoyCredentialIds(emailKey: string): string[] {
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
