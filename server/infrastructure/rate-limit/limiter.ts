import { isIPv4 } from "node:net";
import type { Redis } from "ioredis";
import ipaddr from "ipaddr.js";
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterRes,
} from "rate-limiter-flexible";
import { env, SettingsError } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import { parseIpAddress } from "@/server/core/ip-address";
import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { SECOND } from "@/server/core/time";
import { pool } from "@/server/infrastructure/database/client";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";

/** Counter that allows `points` calls in `per` seconds for each key. */
export interface RateLimitCounter {
  name: string;
  points: number;
  per: number;
  /** The documentation names the limit, so `hasRelaxedLimits` does not raise it. */
  isDocumented?: boolean;
  durable?: boolean;
  /** Limits guessing or costs: always counted in PostgreSQL, because Redis may lose data. */
  limitsGuessing?: boolean;
}

export interface CounterState {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  retryAfter: number;
  /** First rejection in this window, for an audit entry. */
  isFirstRejection: boolean;
}

interface CounterStores {
  /** Undefined without Redis, and for `limitsGuessing` counters. */
  redis?: RateLimiterAbstract;
  /** Used without Redis, or while Redis is unavailable. */
  fallback: RateLimiterAbstract;
}

const globals = globalThis as {
  tellalRedis?: Redis;
  tellalLimiters?: Map<string, CounterStores>;
  /** Time of the next attempt after Redis failed, in milliseconds; 0 while it works. */
  tellalRedisRetryAt?: number;
};

const RELAXED_POINTS_FACTOR = 100;

export function getAllowedPoints({
  points,
  isDocumented,
}: Pick<RateLimitCounter, "points" | "isDocumented">): number {
  return isDocumented || !env().hasRelaxedLimits ? points : points * RELAXED_POINTS_FACTOR;
}

function getStores(counter: RateLimitCounter): CounterStores {
  globals.tellalLimiters ??= new Map();
  const { name, per, durable, limitsGuessing } = counter;
  let stores = globals.tellalLimiters.get(name);
  if (!stores) {
    const options = { keyPrefix: name, points: getAllowedPoints(counter), duration: per };
    const storeClient = limitsGuessing ? undefined : globals.tellalRedis;
    stores = {
      redis: storeClient && new RateLimiterRedis({ ...options, storeClient }),
      fallback: limitsGuessing || durable ? createPostgresStore(options) : new RateLimiterMemory(options),
    };
    globals.tellalLimiters.set(name, stores);
  }
  return stores;
}

/** Pause after a failure of Redis; then a single call tries it again. */
const REDIS_PAUSE_MS = 5 * SECOND;

/** Runs work on the counter in Redis, or on the fallback store while Redis is unavailable. */
async function withLimiter<T>(
  counter: RateLimitCounter,
  work: (limiter: RateLimiterAbstract) => Promise<T>,
): Promise<T> {
  const { redis, fallback } = getStores(counter);
  const retryAt = globals.tellalRedisRetryAt ?? 0;
  if (!redis || performance.now() < retryAt) return work(fallback);
  // Concurrent calls must not wait for Redis as well.
  if (retryAt > 0) globals.tellalRedisRetryAt = performance.now() + REDIS_PAUSE_MS;
  try {
    const result = await work(redis);
    if (globals.tellalRedisRetryAt) handleRedisRecovery();
    return result;
  } catch (error) {
    // Not an Error: the library rejects with the counter when its points are used up.
    if (!(error instanceof Error)) throw error;
    handleRedisFailure(error);
    return work(fallback);
  }
}

function handleRedisFailure(error: Error): void {
  if (!globals.tellalRedisRetryAt)
    log.warn({
      event: "redis.away",
      reason: getErrorReason(error),
      counts: "PostgreSQL, and each process for itself",
    });
  globals.tellalRedisRetryAt = performance.now() + REDIS_PAUSE_MS;
}

function handleRedisRecovery(): void {
  globals.tellalRedisRetryAt = 0;
  log.info({ event: "redis.back" });
}

function createPostgresStore(options: IRateLimiterOptions): RateLimiterAbstract {
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool(),
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

/** Opens a client whose commands fail immediately while Redis is down, and after a second if it hangs. */
async function openRedis(url: string): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: SECOND,
    connectTimeout: 5 * SECOND,
  });
  client.on("error", handleRedisFailure);
  client.connect().catch(() => {});
  return client;
}

const MIN_REDIS_VERSION = [6, 2] as const;

/** Connects to Redis, before the first request. Throws {@link SettingsError} if it is too old. */
export async function connectLimiter(): Promise<void> {
  const { REDIS_URL } = env();
  if (!REDIS_URL) return;
  globals.tellalRedis ??= await openRedis(REDIS_URL);
  const client = globals.tellalRedis;
  if (client.status !== "ready")
    await new Promise<void>((resolve) => {
      for (const event of ["ready", "close", "end"]) client.once(event, () => resolve());
      setTimeout(resolve, 5 * SECOND).unref();
    });
  // The Redis user may lack the permission for INFO.
  const info = await client.info("server").catch(() => "");
  const version = /^redis_version:([\d.]+)/m.exec(info)?.[1];
  if (!version) return;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [minMajor, minMinor] = MIN_REDIS_VERSION;
  if (major < minMajor || (major === minMajor && minor < minMinor))
    throw new SettingsError(
      `REDIS_URL: Redis ${minMajor}.${minMinor} or newer is needed; this one is ${version}.`,
    );
}

/** Tests whether Redis responds; undefined without Redis. */
export async function isRedisResponding(): Promise<boolean | undefined> {
  return globals.tellalRedis?.ping().then(
    () => true,
    () => false,
  );
}

export function toCounterState(
  counter: RateLimitCounter,
  result: Pick<RateLimiterRes, "consumedPoints" | "msBeforeNext">,
): CounterState {
  const points = getAllowedPoints(counter);
  return {
    allowed: result.consumedPoints <= points,
    limit: points,
    isFirstRejection: result.consumedPoints === points + 1,
    remaining: Math.max(0, points - result.consumedPoints),
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
}

/** Longer keys are hashed: the column has 255 characters, and an address in punycode may have more. */
const MAX_KEY_LENGTH = 128;

function toStoreKey(key: string): string {
  return key.length > MAX_KEY_LENGTH ? hashSecret(key).toString("base64url") : key;
}

export function toRateLimitKey({ name }: RateLimitCounter, key: string): string {
  return `${name}:${toStoreKey(key)}`;
}

/** Counts calls. Exact under concurrency; throws if the store is unreachable (fails closed). */
export async function consumePoints(
  counter: RateLimitCounter,
  key: string,
  calls = 1,
): Promise<CounterState> {
  try {
    return toCounterState(
      counter,
      await withLimiter(counter, (limiter) => limiter.consume(toStoreKey(key), calls)),
    );
  } catch (rejection) {
    if (rejection instanceof Error) throw rejection;
    return toCounterState(counter, rejection as RateLimiterRes);
  }
}

/** Tests whether the next call would be rejected, without counting. */
export async function isCounterExhausted(counter: RateLimitCounter, key: string): Promise<boolean> {
  return (await getSecondsUntilAllowed(counter, key)) > 0;
}

/** Returns the seconds until a call is allowed again, 0 if it is allowed now; without counting. */
export async function getSecondsUntilAllowed(counter: RateLimitCounter, key: string): Promise<number> {
  const result = await withLimiter(counter, (limiter) => limiter.get(toStoreKey(key)));
  if (result === null || result.consumedPoints < getAllowedPoints(counter)) return 0;
  return toCounterState(counter, result).retryAfter;
}

/** Counts a call; throws `too_many_requests` beyond the limit. `onFirstRejection` runs once per window. */
export async function consumePointOrThrow(
  counter: RateLimitCounter,
  key: string,
  onFirstRejection?: () => Promise<unknown>,
): Promise<void> {
  const { allowed, retryAfter, limit, isFirstRejection } = await consumePoints(counter, key);
  if (isFirstRejection) await onFirstRejection?.();
  if (!allowed) throw createError("too_many_requests", { retryAfter, limit });
}

/** Returns a point; ignored in a later window, so that points cannot accumulate. */
export async function returnPoint(counter: RateLimitCounter, key: string): Promise<CounterState> {
  const result = await withLimiter(counter, async (limiter) => {
    const state = await limiter.reward(toStoreKey(key));
    return state.consumedPoints < 0 ? limiter.penalty(toStoreKey(key)) : state;
  });
  return toCounterState(counter, result);
}

export async function resetCounter(counter: RateLimitCounter, key: string): Promise<void> {
  await withLimiter(counter, (limiter) => limiter.delete(toStoreKey(key)));
}

/** Returns the counter key of an IP address: IPv6 by its /64, IPv4-mapped as IPv4. */
export function toIpBucket(ip: string): string {
  if (isIPv4(ip)) return ip;
  const address = parseIpAddress(ip);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? ip;
  const network = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

export async function closeLimiter(): Promise<void> {
  globals.tellalRedis?.disconnect();
  globals.tellalRedis = undefined;
  globals.tellalLimiters = undefined;
  globals.tellalRedisRetryAt = undefined;
}
