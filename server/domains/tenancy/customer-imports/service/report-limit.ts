import { HOUR, SECOND } from "@/server/core/time";
import {
  type Counter,
  consume,
  returnPoint,
  secondsUntilAllowed,
} from "@/server/infrastructure/rate-limit/limiter";

/** An import checks addresses by the thousand: without a limit it would list the platform's users. */
const REPORTED: Counter = {
  name: "import_accounts",
  points: 30,
  per: HOUR / SECOND,
  isDocumented: true,
  durable: true,
};

/** Counts a reported account. Returns 0, or the seconds until the next one is allowed. */
export async function consumeReport(resellerId: number): Promise<number> {
  const { allowed, retryAfter } = await consume(REPORTED, String(resellerId));
  if (allowed) return 0;
  await releaseReport(resellerId);
  return retryAfter;
}

export async function releaseReport(resellerId: number): Promise<void> {
  await returnPoint(REPORTED, String(resellerId));
}

/** Seconds until the next account can be reported; 0 if none is due to wait. */
export function secondsUntilReport(resellerId: number): Promise<number> {
  return secondsUntilAllowed(REPORTED, String(resellerId));
}
