import type { JWK } from "jose";
import { refuse } from "@/server/core/errors";
import { kept } from "@/server/core/kept";
import { log } from "@/server/core/log";
import { HOUR, MINUTE, SECOND } from "@/server/core/time";
import { callService } from "@/server/infrastructure/http/service";

/** Limits of time and size for a provider's response with its keys. */
const TIMEOUT = 5 * SECOND;
const MAX_BYTES = 64 * 1024;
const MAX_KEYS = 20;

/** Keys are fetched again after an hour, and trusted for a day while the provider is down. */
const FRESH = HOUR;
const BELIEVED = 24 * HOUR;
/** An unknown key causes at most one request a minute; a failing provider is retried ever more rarely. */
const ASK_AGAIN = MINUTE;
const FIRST_BACK_OFF = 5 * SECOND;
const LAST_BACK_OFF = 5 * MINUTE;

interface Ring {
  keys: Map<string, JWK>;
  /** When the keys were fetched; 0 when they never were. */
  fetchedAt: number;
  nextTry: number;
  backOff: number;
  pending?: Promise<void>;
}

const rings = kept(() => new Map<string, Ring>());

/**
 * Returns a public key by its id, from the provider's own address only: an address within a token is never followed.
 * Undefined for an unknown key; throws `identity_provider_down` (503) when no keys are available.
 */
export async function keyFor(url: string, kid: string): Promise<JWK | undefined> {
  let ring = rings().get(url);
  if (!ring) {
    ring = { keys: new Map(), fetchedAt: 0, nextTry: 0, backOff: FIRST_BACK_OFF };
    rings().set(url, ring);
  }
  const known = ring.keys.has(kid) && Date.now() - ring.fetchedAt < FRESH;
  // Concurrent calls wait for the same response.
  if (!known && (ring.pending || Date.now() >= ring.nextTry)) {
    ring.pending ??= renew(ring, url).finally(() => {
      ring.pending = undefined;
    });
    await ring.pending;
  }
  if (Date.now() - ring.fetchedAt < BELIEVED) return ring.keys.get(kid);
  const retryAfter = Math.max(1, Math.ceil((ring.nextTry - Date.now()) / SECOND));
  throw refuse("identity_provider_down", { retryAfter });
}

async function renew(ring: Ring, url: string): Promise<void> {
  try {
    ring.keys = await fetchKeys(url);
    ring.fetchedAt = Date.now();
    ring.backOff = FIRST_BACK_OFF;
    ring.nextTry = Date.now() + ASK_AGAIN;
  } catch (error) {
    ring.nextTry = Date.now() + ring.backOff;
    ring.backOff = Math.min(2 * ring.backOff, LAST_BACK_OFF);
    log.warn({ event: "identity.keys_failed", url, reason: (error as Error).message });
  }
}

async function fetchKeys(url: string): Promise<Map<string, JWK>> {
  const { status, text } = await callService(url, {
    headers: { accept: "application/json" },
    timeout: TIMEOUT,
    maxBytes: MAX_BYTES,
  });
  if (status !== 200) throw new Error(`status ${status}`);
  const { keys } = JSON.parse(text) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error("no list of keys");
  const usable = (keys as unknown[]).filter(isSigningKey).slice(0, MAX_KEYS);
  if (usable.length === 0) throw new Error("no usable key");
  return new Map(usable.map((key) => [key.kid, key]));
}

function isSigningKey(value: unknown): value is JWK & { kid: string } {
  const { kid, kty, use } = (value ?? {}) as Record<string, unknown>;
  return typeof kid === "string" && (kty === "RSA" || kty === "EC") && (use === undefined || use === "sig");
}
