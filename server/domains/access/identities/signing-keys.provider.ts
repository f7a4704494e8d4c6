import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  type JWKSCacheInput,
  type JWSHeaderParameters,
  jwksCache,
} from "jose";
import { createError } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import { log } from "@/server/core/log";
import { DAY, HOUR, MINUTE, SECOND } from "@/server/core/time";
import { callService } from "@/server/infrastructure/http/call-service";

const KEY_FETCH_TIMEOUT_MS = 5 * SECOND;
const MAX_RESPONSE_BYTES = 64 * 1024;

const KEY_FETCH_BACK_OFF_MS = 30 * SECOND;

const keySetsByUrl = lazyValue(() => new Map<string, RemoteKeySet>());

type RemoteKeySet = ReturnType<typeof createRemoteKeySet>;

/** Public keys of a provider: cached for a day, fetched at most once a minute for an unknown key. */
function createRemoteKeySet(url: string) {
  const cache = {} as JWKSCacheInput;
  let retryAt = 0;
  const fetchKeys = async () => {
    if (Date.now() < retryAt) throw new Error("called a moment ago");
    try {
      const { status, text } = await callService(url, {
        headers: { accept: "application/json" },
        timeout: KEY_FETCH_TIMEOUT_MS,
        maxBytes: MAX_RESPONSE_BYTES,
      });
      if (status !== 200) throw new Error(`status ${status}`);
      const body = JSON.parse(text) as { keys?: unknown[] };
      if (!body.keys?.length) throw new Error("no keys");
      return Response.json(body);
    } catch (error) {
      retryAt = Date.now() + KEY_FETCH_BACK_OFF_MS;
      log.warn({ event: "identity.keys_failed", url, reason: (error as Error).message });
      throw error;
    }
  };
  const jwks = createRemoteJWKSet(new URL(url), {
    [customFetch]: fetchKeys,
    [jwksCache]: cache,
    cacheMaxAge: DAY,
    cooldownDuration: MINUTE,
  });
  return { keys: jwks, fetchedAt: () => cache.uat ?? Date.now(), retryAt: () => retryAt };
}

/** Undefined for an unknown key. Reads keys from the configured URL only, never from the token. */
export async function findSigningKey(
  url: string,
  header: JWSHeaderParameters,
): Promise<CryptoKey | undefined> {
  const keySet = keySetsByUrl().get(url) ?? createRemoteKeySet(url);
  keySetsByUrl().set(url, keySet);
  const { keys: jwks } = keySet;
  // If the refresh fails, the cached keys stay valid for a day.
  if (Date.now() - keySet.fetchedAt() > HOUR) await jwks.reload().catch(() => {});
  try {
    return await jwks(header);
  } catch {
    if (jwks.fresh) return undefined;
    const retryAfter = Math.max(1, Math.ceil((keySet.retryAt() - Date.now()) / SECOND));
    throw createError("identity_provider_down", { retryAfter });
  }
}
