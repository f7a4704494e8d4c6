import { HOUR, SECOND } from "@/server/core/time";
import { type Counter, consume, giveBack, usedUpFor } from "@/server/infrastructure/rate-limit/limiter";

/**
 * Limit of reported accounts that are not the reseller's. An import checks addresses by the thousand and
 * could otherwise list the platform's users. Further rows wait, whether they have an account or not.
 */
const REPORTED: Counter = {
  name: "import_accounts",
  points: 30,
  per: HOUR / SECOND,
  named: true,
  durable: true,
};

/** Counts a reported account. Returns 0, or the seconds until the next one is allowed. */
export async function takeReport(resellerId: number): Promise<number> {
  const { allowed, retryAfter } = await consume(REPORTED, String(resellerId));
  if (allowed) return 0;
  await returnReport(resellerId);
  return retryAfter;
}

/** Reverts the count for an account that was not reported. */
export async function returnReport(resellerId: number): Promise<void> {
  await giveBack(REPORTED, String(resellerId));
}

/** Seconds until the next account can be reported; 0 if none is due to wait. */
export function reportsAgainIn(resellerId: number): Promise<number> {
  return usedUpFor(REPORTED, String(resellerId));
}
