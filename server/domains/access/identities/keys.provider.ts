import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  type JWKSCacheInput,
  type JWSHeaderParameters,
  jwksCache,
} from "jose";
import { refuse } from "@/server/core/errors";
import { lazyValue } from "@/server/core/lazy-value";
import { log } from "@/server/core/log";
import { DAY, HOUR, MINUTE, SECOND } from "@/server/core/time";
import { callService } from "@/server/infrastructure/http/service";

const TIMEOUT = 5 * SECOND;
const MAX_BYTES = 64 * 1024;

/** A failing provider is not called again for this long. */
const BACK_OFF = 30 * SECOND;

const remotes = lazyValue(() => new Map<string, Remote>());

type Remote = ReturnType<typeof remoteOf>;

/** Public keys of a provider: cached for a day, fetched at most once a minute for an unknown key. */
function remoteOf(url: string) {
  const cache = {} as JWKSCacheInput;
  let retryAt = 0;
  const fetchKeys = async () => {
    if (Date.now() < retryAt) throw new Error("called a moment ago");
    try {
      const { status, text } = await callService(url, {
        headers: { accept: "application/json" },
        timeout: TIMEOUT,
        maxBytes: MAX_BYTES,
      });
      if (status !== 200) throw new Error(`status ${status}`);
      const body = JSON.parse(text) as { keys?: unknown[] };
      if (!body.keys?.length) throw new Error("no keys");
      return Response.json(body);
    } catch (error) {
      retryAt = Date.now() + BACK_OFF;
      log.warn({ event: "identity.keys_failed", url, reason: (error as Error).message });
      throw error;
    }
  };
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: fetchKeys,
    [jwksCache]: cache,
    cacheMaxAge: DAY,
    cooldownDuration: MINUTE,
  });
  return { keys, fetchedAt: () => cache.uat ?? Date.now(), retryAt: () => retryAt };
}

/**
 * Returns the key that a token's header names, from the configured URL only, never one within the token.
 * Undefined for an unknown key. Throws `identity_provider_down` when no keys are available.
 */
export async function keyFor(url: string, header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
  const remote = remotes().get(url) ?? remoteOf(url);
  remotes().set(url, remote);
  const { keys } = remote;
  if (Date.now() - remote.fetchedAt() > HOUR) await keys.reload().catch(() => {});
  try {
    return await keys(header);
  } catch {
    if (keys.fresh) return undefined;
    const retryAfter = Math.max(1, Math.ceil((remote.retryAt() - Date.now()) / SECOND));
    throw refuse("identity_provider_down", { retryAfter });
  }
}
