import { createHash } from "node:crypto";
import { env } from "@/server/core/env";
import type { AppError } from "@/server/core/errors";
import { kept } from "@/server/core/kept";
import type { Standing } from "@/server/infrastructure/rate-limit/limiter";

/** Headers of every response. Pages alone set a wider content policy and referrer policy of their own (`proxy.ts`). */
export function securityHeaders(https: boolean): Record<string, string> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    ...(https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

const fixed = kept(() => ({
  ...securityHeaders(env().https),
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Idempotent-Replay, Retry-After, X-Error-Code, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
    "X-Request-Id",
}));

/** Headers of an API response. The API is called with a bearer token, so any origin may read it, without cookies. */
export function apiHeaders(given: Record<string, string>): Record<string, string> {
  return { "cache-control": "no-store", ...fixed(), ...given };
}

/** Limit headers of a response; a refusal by another counter than the operation's own brings its own numbers. */
export function limitHeaders(
  standing: Standing | undefined,
  failure: AppError | undefined,
): Record<string, string> {
  const refused = failure?.status === 429;
  const headers: Record<string, string> = {};
  if (standing) {
    headers["x-ratelimit-limit"] = String(failure?.extras.limit ?? standing.limit);
    headers["x-ratelimit-remaining"] = refused ? "0" : String(standing.remaining);
  }
  const retryAfter = failure?.extras.retryAfter;
  if (retryAfter) headers["retry-after"] = String(retryAfter);
  if (refused && retryAfter)
    headers["x-ratelimit-reset"] = String(Math.floor(Date.now() / 1000) + retryAfter);
  return headers;
}

/** Returns a strong ETag of a body. */
export function etag(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}
