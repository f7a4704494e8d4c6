import type { Context } from "@/server/core/context";
import { log } from "@/server/core/log";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  type Counter,
  forget,
  giveBack,
  requirePoint,
  usedUpFor,
} from "@/server/infrastructure/rate-limit/limiter";

/**
 * Wrong codes of one account in an hour. `sign_in` counts every proof of identity, over all pending sign-ins.
 * `set_up` counts confirmations of a new factor or telephone separately: a guess there opens nothing, and an API key
 * that may only change the profile must not lock its owner out.
 */
const WRONG_CODES = {
  sign_in: { name: "2fa_wrong", points: 15, per: 3600, named: true, guards: true },
  set_up: { name: "2fa_wrong_set_up", points: 15, per: 3600, named: true, guards: true },
} satisfies Record<string, Counter>;

/**
 * Counts a code before it is checked, so that concurrent calls cannot try more than allowed; a right code gets its
 * point back. `spend` returns nothing for a wrong code. Throws `too_many_requests`.
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
  const spent = await spend();
  // The successful action is committed; an extra point does no harm.
  if (spent)
    await giveBack(counter, key).catch((error: Error) =>
      log.warn({ event: "limit.give_back_failed", reason: error.message }),
    );
  return spent;
}

/** Whole seconds for which every code of a sign-in is refused; 0 when codes are tried. */
export function codesRefusedFor(userId: number): Promise<number> {
  return usedUpFor(WRONG_CODES.sign_in, String(userId));
}

/** Lets codes of a sign-in be tried again at once. */
export async function forgetWrongCodes(userId: number): Promise<void> {
  await forget(WRONG_CODES.sign_in, String(userId));
}
