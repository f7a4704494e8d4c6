import { ABILITIES, type AnyOperation } from "@/server/core/contract";
import type { Json } from "./json-schema";

const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };

/** Headers of responses, described once. */
export const HEADERS: Record<string, Json> = {
  ErrorCode: {
    description: "Why the call was refused: a word for programs, where the body has a text for people.",
    schema: { $ref: "#/components/schemas/ErrorCode" },
  },
  RequestId: {
    description: "Number of the call; support finds it by that.",
    schema: { ...text, format: "uuid" },
  },
  RateLimitLimit: { description: "Calls that the limit allows in its window.", schema: whole },
  RateLimitRemaining: { description: "Calls that are left of the limit.", schema: whole },
  RateLimitReset: { description: "When a call is allowed again, in seconds since 1970.", schema: whole },
  RetryAfter: { description: "Seconds to wait before the next attempt.", schema: { ...whole, minimum: 1 } },
  IdempotentReplay: {
    description: "Present when this is the response of an earlier call with the same `Idempotency-Key`.",
    schema: { ...text, const: "true" },
  },
  ETag: {
    description: "Sent back as `If-None-Match`, it saves the body when nothing has changed.",
    schema: text,
  },
};

/**
 * The headers of a response: of an operation that succeeded, or of a refusal with this status. Those that every success
 * has are named once, at the beginning of the description, and with each refusal.
 */
export function headersOf(of: AnyOperation | { status: number }): Json {
  const names: Record<string, string> = {};
  const { status } = of;
  if (status >= 400) {
    names["X-Request-Id"] = "RequestId";
    names["X-Error-Code"] = "ErrorCode";
  }
  if (status === 429) {
    names["X-RateLimit-Limit"] = "RateLimitLimit";
    names["X-RateLimit-Remaining"] = "RateLimitRemaining";
  }
  if (status === 429) names["X-RateLimit-Reset"] = "RateLimitReset";
  if (status === 429 || status === 503) names["Retry-After"] = "RetryAfter";
  if ("id" in of && of.idempotent) names["Idempotent-Replay"] = "IdempotentReplay";
  if ("id" in of && of.cacheControl) names.ETag = "ETag";
  return Object.fromEntries(
    Object.entries(names).map(([name, id]) => [name, { $ref: `#/components/headers/${id}` }]),
  );
}

export const SECURITY_SCHEMES: Record<string, Json> = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      `A user token, \`dsu_…\`. What an operation needs of it stands beside the operation as \`x-ability\`: ${ABILITIES.map((name) => `\`${name}\``).join(", ")}; ` +
      "`*` covers all of them.",
  },
  siteKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A site's external key, `dse_…`",
  },
};

/** By which credentials an operation may be called. */
export function securityOf({ access, siteKey }: AnyOperation): Json[] {
  if (access !== "token") return [];
  return [{ bearer: [] }, ...(siteKey ? [{ siteKey: [] }] : [])];
}
