import { HOUR, SECOND } from "@/server/core/time";
import { type Counter, consume, giveBack, usedUpFor } from "@/server/infrastructure/rate-limit/limiter";

/** An import checks addresses by the thousand: without a limit it would list the platform's users. */
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

export async function returnReport(resellerId: number): Promise<void> {
  await giveBack(REPORTED, String(resellerId));
}

/** Seconds until the next account can be reported; 0 if none is due to wait. */
export function reportsAgainIn(resellerId: number): Promise<number> {
  return usedUpFor(REPORTED, String(resellerId));
}
