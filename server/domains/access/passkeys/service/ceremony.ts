import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import { invalidField } from "@/server/core/errors";
import { fromNow, SECOND } from "@/server/core/time";
import type { PasskeyPurpose, Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { deriveKeys } from "@/server/infrastructure/secrets/derive";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { CEREMONY_SECONDS, PASSKEYS_MAX } from "../contract";

/** Derived from APP_URL, never from the request. */
export function getRelyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

/** Account id of a ceremony for an address without passkeys: no account can finish it. */
export const NO_ACCOUNT_ID = 0;

/** `userId` is the account that must finish the ceremony; null accepts a passkey of any account. */
const CEREMONY_SELECT = {
  userId: true,
  challenge: true,
  rpId: true,
} as const satisfies Prisma.PasskeyChallengeSelect;
export type Ceremony = Prisma.PasskeyChallengeGetPayload<{ select: typeof CEREMONY_SELECT }>;

export async function startCeremony(
  { db }: Pick<DbAccess, "db">,
  { purpose, userId }: { purpose: PasskeyPurpose; userId: number | null },
): Promise<{ ref: string; challenge: string }> {
  const ref = randomBytes(32).toString("base64url");
  const challenge = randomBytes(32).toString("base64url");
  await db.passkeyChallenge.create({
    data: {
      refHash: hashSecret(ref),
      purpose,
      userId,
      challenge,
      rpId: getRelyingParty().id,
      expiresAt: fromNow(CEREMONY_SECONDS * SECOND),
    },
    select: { id: true },
  });
  return { ref, challenge };
}

/** Deletes the ceremony before verification, so that it works once. Throws `validation`. */
export function consumeAssertionCeremony(
  access: Pick<DbAccess, "db">,
  purpose: "login" | "identity",
  ref: string,
): Promise<Ceremony> {
  return consumeCeremony(access, { purpose, refHash: hashSecret(ref) });
}

/** Without a reference, consumes the account's newest registration. */
export function consumeRegistrationCeremony(
  access: Pick<DbAccess, "db">,
  userId: number,
  ref: string | null | undefined,
): Promise<Ceremony> {
  return consumeCeremony(access, { purpose: "register", userId, ...(ref && { refHash: hashSecret(ref) }) });
}

async function consumeCeremony(
  { db }: Pick<DbAccess, "db">,
  where: Prisma.PasskeyChallengeWhereInput & { purpose: PasskeyPurpose },
): Promise<Ceremony> {
  const row = await db.passkeyChallenge.findFirst({
    where: { ...where, expiresAt: { gt: new Date() } },
    orderBy: { id: "desc" },
    select: { id: true, ...CEREMONY_SELECT },
  });
  if (!row) throw invalidField("challenge_ref", "ceremony");
  const { id, ...ceremony } = row;
  // Only the request that deletes the ceremony may use it.
  const { count } = await db.passkeyChallenge.deleteMany({ where: { id } });
  if (count === 0) throw invalidField("challenge_ref", "ceremony");
  return ceremony;
}

/** From the oldest secret: user handles and decoys must not change when secrets are rotated. */
const getStableKey = () => deriveKeys("passkeys").at(-1)!;

/** User handle that authenticators store. Keyed, so that it does not reveal the account ID. */
export function deriveUserHandle(userId: number): string {
  return createHmac("sha256", getStableKey()).update(`passkey-user:${userId}`).digest("base64url");
}

/** Lengths of credential IDs, repeated by how common they are. */
const CREDENTIAL_ID_BYTES = [16, 16, 16, 16, 16, 20, 20, 20, 20, 20, 32, 32, 32, 32, 48, 64];

/** Half of the addresses get one ID, a quarter two. Keep the algorithm: changing IDs would look invented. */
export function buildDecoyCredentialIds(emailKey: string): string[] {
  const seed = computeHmac("passkey-decoys", emailKey);
  const extraCount = Array.from({ length: PASSKEYS_MAX - 1 }, (_, index) => seed[index]! % 2).indexOf(0);
  const count = extraCount < 0 ? PASSKEYS_MAX : 1 + extraCount;
  return Array.from({ length: count }, (_, index) =>
    computeHmac(`passkey-decoy-${index}`, emailKey)
      .subarray(0, CREDENTIAL_ID_BYTES[seed[PASSKEYS_MAX + index]! % CREDENTIAL_ID_BYTES.length])
      .toString("base64url"),
  );
}

function computeHmac(purpose: string, value: string): Buffer {
  return createHmac("sha512", getStableKey()).update(`${purpose}:${value}`).digest();
}
