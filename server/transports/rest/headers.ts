import { env } from "@/server/core/env";
import type { AppError } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import { mainHost } from "@/server/core/portal";
import type { CounterState } from "@/server/infrastructure/rate-limit/limiter";

const YEAR = "max-age=31536000";
const mainName = lazyValue(mainHost);

/** Returns the HSTS header. On a reseller's domain it must not cover the reseller's other hosts. */
function transportSecurity(host: string | null | undefined): string {
  const isMain = host?.replace(/:\d+$/, "").toLowerCase() === mainName();
  return isMain ? `${YEAR}; includeSubDomains` : YEAR;
}

/** Only pages override the content and referrer policy (`proxy.ts`). */
export function securityHeaders(host: string | null | undefined): Record<string, string> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    ...(env().https && { "strict-transport-security": transportSecurity(host) }),
  };
}

const fixedHeaders = lazyValue(() => ({
  ...securityHeaders(mainName()),
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Idempotent-Replay, Retry-After, X-Error-Code, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
    "X-Request-Id",
}));

/** Headers of an API response. CORS allows any origin, without cookies: the API uses bearer tokens. */
export function apiHeaders(headers: Record<string, string>, host: string | null): Record<string, string> {
  const security = env().https && { "strict-transport-security": transportSecurity(host) };
  return { "cache-control": "no-store", ...fixedHeaders(), ...security, ...headers };
}

/** Rate limit headers. A 429 by another counter than the operation's own has that counter's numbers. */
export function limitHeaders(
  standing: CounterState | undefined,
  failure: AppError | undefined,
): Record<string, string> {
  const isLimited = failure?.status === 429;
  const headers: Record<string, string> = {};
  if (standing) {
    headers["x-ratelimit-limit"] = String(failure?.extras.limit ?? standing.limit);
    headers["x-ratelimit-remaining"] = isLimited ? "0" : String(standing.remaining);
  }
  const retryAfter = failure?.extras.retryAfter;
  if (retryAfter) headers["retry-after"] = String(retryAfter);
  if (isLimited && retryAfter)
    headers["x-ratelimit-reset"] = String(Math.floor(Date.now() / 1000) + retryAfter);
  return headers;
}
