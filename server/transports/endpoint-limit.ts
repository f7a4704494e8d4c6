import { createError } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import {
  consumePoints,
  type RateLimitCounter,
  returnPoint,
  toIpBucket,
} from "@/server/infrastructure/rate-limit/limiter";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { toAppError } from "./render-error";
import { buildLimitHeaders, buildSecurityHeaders } from "./rest/headers";
import { buildFailureResponse } from "./rest/response";

export interface EndpointLimit {
  name: string;
  /** Requests per address and minute that find nothing. */
  missesPerMinute: number;
  /** Requests per address and minute for a resource with an earlier hit. */
  hitsPerMinute: number;
}

/** Digests of resource and address with an earlier hit, by endpoint, oldest first. */
const knownIdsByEndpoint = lazyValue(() => new Map<string, Set<string>>());
const MAX_KNOWN_IDS = 20_000;

/**
 * Limits all misses of an address together, but the hits of each resource separately: providers call for
 * all customers from few addresses.
 */
export async function limitEndpoint<T>(
  { name, missesPerMinute, hitsPerMinute }: EndpointLimit,
  { ip, key, isHit }: { ip: string; key: string; isHit: (result: T) => boolean },
  work: () => Promise<T>,
): Promise<T> {
  const address = toIpBucket(ip);
  const id = hashSecret(`${key} ${address}`).toString("base64url");
  const missCounter = { name: `${name}_misses`, points: missesPerMinute, per: 60 };
  const isKnown = getKnownIds(name).has(id);
  if (isKnown) await consumeOrRefuse({ name: `${name}_hits`, points: hitsPerMinute, per: 60 }, id);
  else await consumeOrRefuse(missCounter, address);
  const result = await work();
  if (!isHit(result)) {
    if (getKnownIds(name).delete(id)) await consumePoints(missCounter, address);
  } else if (!isKnown) {
    await returnPoint(missCounter, address);
    addKnownId(name, id);
  }
  return result;
}

async function consumeOrRefuse(counter: RateLimitCounter, key: string): Promise<void> {
  const { allowed, retryAfter } = await consumePoints(counter, key);
  if (!allowed) throw createError("too_many_requests", { retryAfter });
}

function getKnownIds(name: string): Set<string> {
  const ids = knownIdsByEndpoint().get(name) ?? new Set();
  knownIdsByEndpoint().set(name, ids);
  return ids;
}

function addKnownId(name: string, id: string): void {
  const ids = getKnownIds(name);
  for (const oldestId of ids) {
    if (ids.size < MAX_KNOWN_IDS) break;
    ids.delete(oldestId);
  }
  ids.add(id);
}

export function buildRouteFailureResponse(error: unknown, request: Request): Response {
  const failure = toAppError(error);
  const { status, headers, body } = buildFailureResponse(failure, FALLBACK_LOCALE);
  return new Response(body, {
    status,
    headers: {
      ...buildSecurityHeaders(request.headers.get("host")),
      ...headers,
      ...buildLimitHeaders(undefined, failure),
    },
  });
}
