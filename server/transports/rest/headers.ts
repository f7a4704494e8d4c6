import { env } from "@/server/core/env";
import type { AppError } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import { getMainHost } from "@/server/core/portal";
import type { CounterState } from "@/server/infrastructure/rate-limit/limiter";

const HSTS_MAX_AGE = "max-age=31536000";
const mainHostName = lazyValue(getMainHost);

/** Returns the HSTS header. On a reseller's domain it must not cover the reseller's other hosts. */
function buildHstsHeader(host: string | null | undefined): string {
  const isMain = host?.replace(/:\d+$/, "").toLowerCase() === mainHostName();
  return isMain ? `${HSTS_MAX_AGE}; includeSubDomains` : HSTS_MAX_AGE;
}

/** Headers of every response. Only pages override the content and referrer policy (`proxy.ts`). */
export function buildSecurityHeaders(host: string | null | undefined): Record<string, string> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    ...(env().usesHttps && { "strict-transport-security": buildHstsHeader(host) }),
  };
}

const fixedHeaders = lazyValue(() => ({
  ...buildSecurityHeaders(mainHostName()),
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Idempotent-Replay, Retry-After, X-Error-Code, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
    "X-Request-Id",
}));

/** Headers of an API response. CORS allows any origin, without cookies: the API uses bearer tokens. */
export function buildApiHeaders(
  headers: Record<string, string>,
  host: string | null,
): Record<string, string> {
  const hstsHeader = env().usesHttps && { "strict-transport-security": buildHstsHeader(host) };
  return { "cache-control": "no-store", ...fixedHeaders(), ...hstsHeader, ...headers };
}

/** Rate limit headers. A 429 has the numbers of the counter that rejected the call. */
export function buildLimitHeaders(
  counterState: CounterState | undefined,
  failure: AppError | undefined,
): Record<string, string> {
  const isLimited = failure?.status === 429;
  const headers: Record<string, string> = {};
  if (counterState) {
    headers["x-ratelimit-limit"] = String(failure?.extras.limit ?? counterState.limit);
    headers["x-ratelimit-remaining"] = isLimited ? "0" : String(counterState.remaining);
  }
  const retryAfter = failure?.extras.retryAfter;
  if (retryAfter) headers["retry-after"] = String(retryAfter);
  if (isLimited && retryAfter)
    headers["x-ratelimit-reset"] = String(Math.floor(Date.now() / 1000) + retryAfter);
  return headers;
}
