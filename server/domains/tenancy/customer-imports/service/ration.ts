import { HOUR, SECOND } from "@/server/core/time";
import { type Counter, consume, giveBack, usedUpFor } from "@/server/infrastructure/rate-limit/limiter";

/**
 * Accounts of other people that the imports of a reseller report. An import tests addresses by the thousand, so without a
 * limit it would list the members of the platform. Rows beyond it wait, whether they have an account or not.
 */
const REPORTED: Counter = {
  name: "import_accounts",
  points: 30,
  per: HOUR / SECOND,
  named: true,
  durable: true,
};

/** Counts one account that is reported. Returns 0, or the seconds until the next one may be. */
export async function takeReport(resellerId: number): Promise<number> {
  const { allowed, retryAfter } = await consume(REPORTED, String(resellerId));
  if (allowed) return 0;
  await returnReport(resellerId);
  return retryAfter;
}

/** For an account that was counted and not reported. */
export async function returnReport(resellerId: number): Promise<void> {
  await giveBack(REPORTED, String(resellerId));
}

/** Seconds for which the imports of a reseller report no further account; 0 when they may. */
export function reportsAgainIn(resellerId: number): Promise<number> {
  return usedUpFor(REPORTED, String(resellerId));
}
