import { type Counter, giveBack, requirePoint } from "@/server/infrastructure/rate-limit/limiter";

/** Wrong codes of one account in an hour, whichever place asked for them and however many sign-ins wait. */
const WRONG_CODES: Counter = { name: "2fa_wrong", points: 15, per: 3600, named: true, durable: true };

/**
 * Counts a code before it is looked at, so that a burst cannot try more than allowed; a right one is given back.
 * `spend` answers nothing for a wrong code. Throws `too_many_requests`.
 */
export async function countWrongCode<T>(userId: number, spend: () => Promise<T>): Promise<T> {
  const key = String(userId);
  await requirePoint(WRONG_CODES, key);
  const spent = await spend();
  if (spent) await giveBack(WRONG_CODES, key);
  return spent;
}
