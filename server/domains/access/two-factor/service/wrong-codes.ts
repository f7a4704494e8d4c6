import type { Context } from "@/server/core/context";
import { log } from "@/server/core/log";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  consumePointOrThrow,
  getSecondsUntilAllowed,
  type RateLimitCounter,
  resetCounter,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";

/** `set_up` is separate: an API key that may only change the profile must not block its owner's sign-in. */
const WRONG_CODE_COUNTERS = {
  sign_in: { name: "2fa_wrong", points: 15, per: 3600, isDocumented: true, limitsGuessing: true },
  set_up: { name: "2fa_wrong_set_up", points: 15, per: 3600, isDocumented: true, limitsGuessing: true },
} satisfies Record<string, RateLimitCounter>;

/** Counts before the check: concurrent calls cannot exceed the limit. A right code gets its point back. */
export async function withWrongCodeLimit<T>(
  ctx: Omit<Context, "db">,
  { userId, purpose }: { userId: number; purpose: keyof typeof WRONG_CODE_COUNTERS },
  checkCode: () => Promise<T>,
): Promise<T> {
  const [counter, key] = [WRONG_CODE_COUNTERS[purpose], String(userId)];
  await consumePointOrThrow(counter, key, () =>
    audit(ctx, { action: "two_factor.throttled", object: { type: "User", id: userId } }),
  );
  const result = await checkCode();
  // Only log a failure: the action is committed, and one point too many does no harm.
  if (result)
    await returnPoint(counter, key).catch((error: Error) =>
      log.warn({ event: "limit.give_back_failed", reason: error.message }),
    );
  return result;
}

export function secondsUntilCodesAllowed(userId: number): Promise<number> {
  return getSecondsUntilAllowed(WRONG_CODE_COUNTERS.sign_in, String(userId));
}

export async function resetWrongCodeCounter(userId: number): Promise<void> {
  await resetCounter(WRONG_CODE_COUNTERS.sign_in, String(userId));
}
