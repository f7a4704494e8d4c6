import type { Context } from "@/server/core/context";
import { log } from "@/server/core/log";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  type Counter,
  requirePoint,
  resetCounter,
  returnPoint,
  secondsUntilAllowed,
} from "@/server/infrastructure/rate-limit/limiter";

/**
 * `set_up` is separate: a right guess there opens nothing, and an API key that may only change the profile
 * must not lock its owner out of signing in.
 */
const WRONG_CODES = {
  sign_in: { name: "2fa_wrong", points: 15, per: 3600, isDocumented: true, limitsGuessing: true },
  set_up: { name: "2fa_wrong_set_up", points: 15, per: 3600, isDocumented: true, limitsGuessing: true },
} satisfies Record<string, Counter>;

/**
 * Counts before the code is checked, so that concurrent calls cannot exceed the limit; a right code gets its
 * point back. Throws `too_many_requests`.
 */
export async function countWrongCode<T>(
  ctx: Omit<Context, "db">,
  { userId, at }: { userId: number; at: keyof typeof WRONG_CODES },
  spend: () => Promise<T>,
): Promise<T> {
  const [counter, key] = [WRONG_CODES[at], String(userId)];
  await requirePoint(counter, key, () =>
    audit(ctx, { action: "two_factor.throttled", object: { type: "User", id: userId } }),
  );
  const result = await spend();
  // The action is committed: one point too many does no harm.
  if (result)
    await returnPoint(counter, key).catch((error: Error) =>
      log.warn({ event: "limit.give_back_failed", reason: error.message }),
    );
  return result;
}

/** Seconds until codes are accepted again; 0 when they are. */
export function secondsUntilCodesAllowed(userId: number): Promise<number> {
  return secondsUntilAllowed(WRONG_CODES.sign_in, String(userId));
}

export async function resetWrongCodes(userId: number): Promise<void> {
  await resetCounter(WRONG_CODES.sign_in, String(userId));
}
