import { refuse } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import {
  addressBucket,
  type Counter,
  consume,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { toAppError } from "./render-error";
import { limitHeaders, securityHeaders } from "./rest/headers";
import { failureResponse } from "./rest/response";

export interface PublicEndpoint {
  name: string;
  /** Requests per address and minute that find nothing. */
  misses: number;
  /** Requests per address and minute for one resource found before. */
  hits: number;
}

/** Digests of resource and address found before, by endpoint, oldest first. */
const knownIds = lazyValue(() => new Map<string, Set<string>>());
const KNOWN_MAX = 20_000;

/**
 * Limits the requests of an address to an endpoint. Providers call for all customers from few addresses, so
 * only requests that find nothing share a counter. Throws `too_many_requests` before `work` starts.
 */
export async function limitEndpoint<T>(
  { name, misses, hits }: PublicEndpoint,
  { ip, key, hasFound }: { ip: string; key: string; hasFound: (result: T) => boolean },
  work: () => Promise<T>,
): Promise<T> {
  const address = addressBucket(ip);
  const id = digest(`${key} ${address}`).toString("base64url");
  const miss = { name: `${name}_misses`, points: misses, per: 60 };
  const isKnown = knownAt(name).has(id);
  if (isKnown) await consumeOrRefuse({ name: `${name}_hits`, points: hits, per: 60 }, id);
  else await consumeOrRefuse(miss, address);
  const result = await work();
  if (!hasFound(result)) {
    if (knownAt(name).delete(id)) await consume(miss, address);
  } else if (!isKnown) {
    await returnPoint(miss, address);
    remember(name, id);
  }
  return result;
}

async function consumeOrRefuse(counter: Counter, key: string): Promise<void> {
  const { allowed, retryAfter } = await consume(counter, key);
  if (!allowed) throw refuse("too_many_requests", { retryAfter });
}

function knownAt(name: string): Set<string> {
  const ids = knownIds().get(name) ?? new Set();
  knownIds().set(name, ids);
  return ids;
}

function remember(name: string, id: string): void {
  const ids = knownAt(name);
  for (const oldest of ids) {
    if (ids.size < KNOWN_MAX) break;
    ids.delete(oldest);
  }
  ids.add(id);
}

export function routeFailureResponse(error: unknown, request: Request): Response {
  const failure = toAppError(error);
  const { status, headers, body } = failureResponse(failure, FALLBACK_LOCALE);
  return new Response(body, {
    status,
    headers: {
      ...securityHeaders(request.headers.get("host")),
      ...headers,
      ...limitHeaders(undefined, failure),
    },
  });
}
