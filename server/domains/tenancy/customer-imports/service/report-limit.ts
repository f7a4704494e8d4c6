import { HOUR, SECOND } from "@/server/core/time";
import {
  consumePoints,
  getSecondsUntilAllowed,
  type RateLimitCounter,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";

/** Without this limit, a reseller could import addresses to find out which have accounts. */
const ACCOUNT_REPORT_LIMIT: RateLimitCounter = {
  name: "import_accounts",
  points: 30,
  per: HOUR / SECOND,
  isDocumented: true,
  durable: true,
};

/** Consumes a point. Returns 0, or the seconds to wait if the limit is reached. */
export async function consumeAccountReportPoint(resellerId: number): Promise<number> {
  const { allowed, retryAfter } = await consumePoints(ACCOUNT_REPORT_LIMIT, String(resellerId));
  if (allowed) return 0;
  await returnAccountReportPoint(resellerId);
  return retryAfter;
}

export async function returnAccountReportPoint(resellerId: number): Promise<void> {
  await returnPoint(ACCOUNT_REPORT_LIMIT, String(resellerId));
}

export function getAccountReportWaitSeconds(resellerId: number): Promise<number> {
  return getSecondsUntilAllowed(ACCOUNT_REPORT_LIMIT, String(resellerId));
}
