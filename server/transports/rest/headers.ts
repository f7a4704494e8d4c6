import { createHash } from "node:crypto";
import { env } from "@/server/core/env";

/** Headers of every response, pages included, on both doors. */
export function securityHeaders(https: boolean): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    ...(https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

let fixed: Record<string, string> | undefined;

/** Headers of an API response. The API is called with a bearer token, so any origin may read it, without cookies. */
export function apiHeaders(given: Record<string, string>): Record<string, string> {
  fixed ??= {
    ...securityHeaders(env().https),
    "content-type": "application/json; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "access-control-allow-origin": "*",
    "access-control-expose-headers":
      "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id",
  };
  return { "cache-control": "no-store", ...fixed, ...given };
}

/** Returns a strong ETag of a body. */
export function etag(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}
