import { HOUR, SECOND } from "@/server/core/time";
import {
  type Counter,
  consumePoints,
  returnPoint,
  secondsUntilAllowed,
} from "@/server/infrastructure/rate-limit/limiter";

/** Without this limit, a reseller could import addresses to find out which have accounts. */
const REPORT_LIMIT: Counter = {
  name: "import_accounts",
  points: 30,
  per: HOUR / SECOND,
  isDocumented: true,
  durable: true,
};

/** Consumes a point. Returns 0, or the seconds to wait if the limit is reached. */
export async function consumeReportPoint(resellerId: number): Promise<number> {
  const { allowed, retryAfter } = await consumePoints(REPORT_LIMIT, String(resellerId));
  if (allowed) return 0;
  await returnReportPoint(resellerId);
  return retryAfter;
}

export async function returnReportPoint(resellerId: number): Promise<void> {
  await returnPoint(REPORT_LIMIT, String(resellerId));
}

export function secondsUntilReport(resellerId: number): Promise<number> {
  return secondsUntilAllowed(REPORT_LIMIT, String(resellerId));
}
