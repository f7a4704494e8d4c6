import type { Context, UserActor } from "@/server/core/context";
import { AppError, createError } from "@/server/core/errors";
import { fromNow, HOUR, MINUTE } from "@/server/core/time";

export const PROOF_LIFETIME_MS = 10 * MINUTE;
const ROUTINE_PROOF_LIFETIME_MS = 8 * HOUR;

/**
 * Throws `identity_unproven` without a proof in the last ten minutes, or eight hours for `routine` work. The
 * error lists the accepted methods. Without any of them, only a new sign-in proves the identity.
 */
export async function requireProof(
  { actor, db }: Context<UserActor>,
  { routine = false } = {},
): Promise<void> {
  const token = await db.accessToken.findUnique({
    where: { id: actor.token.id },
    select: {
      provenAt: true,
      user: {
        select: {
          passwordHash: true,
          factors: {
            select: { kind: true },
            where: { confirmedAt: { not: null } },
            orderBy: { kind: "asc" },
          },
          passkeys: { select: { id: true }, take: 1 },
        },
      },
    },
  });
  if (!token) throw createError("unauthenticated");
  const lifetimeMs = routine ? ROUTINE_PROOF_LIFETIME_MS : PROOF_LIFETIME_MS;
  if (token.provenAt && token.provenAt > fromNow(-lifetimeMs)) return;
  const { passwordHash, factors, passkeys } = token.user;
  const primaryMethods =
    factors.length > 0 ? factors.map(({ kind }) => kind) : passwordHash ? ["password"] : [];
  const methods = [...primaryMethods, ...(passkeys.length > 0 ? ["passkey"] : [])];
  throw new AppError("identity_unproven", {
    requires_identity: true,
    methods: methods.length > 0 ? methods : ["sign_in"],
  });
}
