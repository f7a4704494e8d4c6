import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/server/core/env";
import { invalid } from "@/server/core/errors";
import { fromNow, SECOND } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { derivedKey } from "@/server/infrastructure/secrets/derive";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { CEREMONY_SECONDS } from "../contract";

/** Returns the relying party from the settings, never from the request. */
export function relyingParty(): { id: string; name: string; origin: string } {
  const { APP_URL, APP_NAME } = env();
  const { hostname, origin } = new URL(APP_URL);
  return { id: hostname, name: APP_NAME, origin };
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
  { purpose, userId }: { purpose: "login" | "register"; userId: number | null },
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
export function spendLogin(work: Pick<Work, "db">, ref: string): Promise<Ceremony> {
  return spend(work, { purpose: "login", refHash: digest(ref) });
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
  where: Prisma.PasskeyChallengeWhereInput & { purpose: "login" | "register" },
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

/** Returns the id that authenticators store for an account: stable, and meaningless to anybody else. */
export function userHandle(userId: number): string {
  return keyed("passkey-user", String(userId)).toString("base64url");
}

/**
 * Returns made-up credentials for an address that has none: like real ones in number and length, and the same each
 * time.
 */
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
