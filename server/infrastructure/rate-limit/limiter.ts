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
import { parseAddress } from "@/server/core/address";
import { env, SettingsError } from "@/server/core/env";
import { refuse } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";
import { SECOND } from "@/server/core/time";
import { pool } from "@/server/infrastructure/database/client";
import { digest } from "@/server/infrastructure/secrets/tokens";

/** A counter: a number of points within a number of seconds, for each key. */
export interface Counter {
  name: string;
  points: number;
  /** Window in seconds. */
  per: number;
  /** Named by docs/contract.md 8 or by a security rule: the same in every mode. */
  named?: boolean;
  /** Kept over a restart: PostgreSQL counts while there is no Redis, and not each process for itself. */
  durable?: boolean;
  /** Bounds guesses at an account, or costs: durable, and in PostgreSQL always, because a Redis that comes and goes forgets. */
  guards?: boolean;
}

/** The state of a counter after a call. */
export interface Standing {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  retryAfter: number;
  /** The first refusal of this window, which is worth an audit entry; later ones are not. */
  justSpent: boolean;
}

interface Stores {
  /** Counts for all processes; missing without Redis, and for what Redis must not count. */
  redis?: RateLimiterAbstract;
  /** Counts otherwise, and while Redis is away. */
  own: RateLimiterAbstract;
}

const shared = globalThis as {
  tellalRedis?: Redis;
  tellalLimiters?: Map<string, Stores>;
  /** Until when Redis is left alone after it failed, in milliseconds; 0 while it counts. */
  tellalRedisRests?: number;
};

/** How much wider unnamed limits are where limits are relaxed. */
const RELAXED = 100;

/** Returns how many calls a counter allows with this installation's settings. */
export function pointsOf({ points, named }: Pick<Counter, "points" | "named">): number {
  return named || !env().relaxedLimits ? points : points * RELAXED;
}

function storesOf(counter: Counter): Stores {
  shared.tellalLimiters ??= new Map();
  const { name, per, durable, guards } = counter;
  let stores = shared.tellalLimiters.get(name);
  if (!stores) {
    const options = { keyPrefix: name, points: pointsOf(counter), duration: per };
    const storeClient = guards ? undefined : shared.tellalRedis;
    stores = {
      redis: storeClient && new RateLimiterRedis({ ...options, storeClient }),
      own: guards || durable ? inPostgres(options) : new RateLimiterMemory(options),
    };
    shared.tellalLimiters.set(name, stores);
  }
  return stores;
}

/** How long Redis is left alone after it failed: one call of each such time waits for it. */
const REST = 5 * SECOND;

/** Works on the counter in Redis, or on our own while that is away: nobody is refused, or waits, because of it. */
async function counting<T>(counter: Counter, work: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
  const { redis, own } = storesOf(counter);
  const rests = shared.tellalRedisRests ?? 0;
  if (!redis || performance.now() < rests) return work(own);
  // Whoever comes while this call waits does not wait, too.
  if (rests > 0) shared.tellalRedisRests = performance.now() + REST;
  try {
    const result = await work(redis);
    if (shared.tellalRedisRests) noteBack();
    return result;
  } catch (error) {
    // The library rejects with the counter itself when the points are used up.
    if (!(error instanceof Error)) throw error;
    noteAway(error);
    return work(own);
  }
}

function noteAway(error: Error): void {
  if (!shared.tellalRedisRests)
    log.warn({
      event: "redis.away",
      reason: reasonOf(error),
      counts: "PostgreSQL, and each process for itself",
    });
  shared.tellalRedisRests = performance.now() + REST;
}

function noteBack(): void {
  shared.tellalRedisRests = 0;
  log.info({ event: "redis.back" });
}

function inPostgres(options: IRateLimiterOptions): RateLimiterAbstract {
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool(),
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

/** A client whose commands fail at once while Redis is away, and after a second when it hangs. */
async function openRedis(url: string): Promise<Redis> {
  // Loaded where there is a Redis only.
  const { Redis } = await import("ioredis");
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: SECOND,
    connectTimeout: 5 * SECOND,
  });
  client.on("error", noteAway);
  client.connect().catch(() => {});
  return client;
}

/** The oldest Redis that counts here. */
const OLDEST_REDIS = [6, 2] as const;

/**
 * Connects to Redis, if there is one, before the first request; without it PostgreSQL and each process count. Throws {@link
 * SettingsError} when it is too old.
 */
export async function connectLimiter(): Promise<void> {
  const { REDIS_URL } = env();
  if (!REDIS_URL) return;
  shared.tellalRedis ??= await openRedis(REDIS_URL);
  const client = shared.tellalRedis;
  if (client.status !== "ready")
    await new Promise<void>((resolve) => {
      for (const event of ["ready", "close", "end"]) client.once(event, () => resolve());
      setTimeout(resolve, 5 * SECOND).unref();
    });
  // A user of Redis may lack the right to ask.
  const info = await client.info("server").catch(() => "");
  const version = /^redis_version:([\d.]+)/m.exec(info)?.[1];
  if (!version) return;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, least] = OLDEST_REDIS;
  if (major < oldest || (major === oldest && minor < least))
    throw new SettingsError(
      `REDIS_URL: Redis ${oldest}.${least} or newer is needed; this one is ${version}.`,
    );
}

/** Whether Redis responds; undefined when none is used. */
export async function redisResponds(): Promise<boolean | undefined> {
  return shared.tellalRedis?.ping().then(
    () => true,
    () => false,
  );
}

/** The state of a counter, from what its store returned. */
export function standing(
  counter: Counter,
  result: Pick<RateLimiterRes, "consumedPoints" | "msBeforeNext">,
): Standing {
  const points = pointsOf(counter);
  return {
    allowed: result.consumedPoints <= points,
    limit: points,
    justSpent: result.consumedPoints === points + 1,
    remaining: Math.max(0, points - result.consumedPoints),
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
}

/** Longest key that is kept as it is: the store has room for 255 characters, and an address in punycode may have more. */
const MAX_KEY = 128;

function stored(key: string): string {
  return key.length > MAX_KEY ? digest(key).toString("base64url") : key;
}

/** The name under which PostgreSQL keeps a counter of a key. */
export function keyOf({ name }: Counter, key: string): string {
  return `${name}:${stored(key)}`;
}

/** Counts one call, or several. Exact under concurrency; throws when the store cannot be reached (fails closed). */
export async function consume(counter: Counter, key: string, calls = 1): Promise<Standing> {
  try {
    return standing(counter, await counting(counter, (limiter) => limiter.consume(stored(key), calls)));
  } catch (rejection) {
    // The library rejects with the counter itself when the points are used up, and with an error otherwise.
    if (rejection instanceof Error) throw rejection;
    return standing(counter, rejection as RateLimiterRes);
  }
}

/** Whether a further call would be refused; counts nothing. */
export async function isUsedUp(counter: Counter, key: string): Promise<boolean> {
  return (await usedUpFor(counter, key)) > 0;
}

/** Whole seconds for which further calls would be refused; 0 when the next one is allowed. Counts nothing. */
export async function usedUpFor(counter: Counter, key: string): Promise<number> {
  const found = await counting(counter, (limiter) => limiter.get(stored(key)));
  if (found === null || found.consumedPoints < pointsOf(counter)) return 0;
  return standing(counter, found).retryAfter;
}

/** Counts one call. Throws `too_many_requests` beyond the counter's points; `onSpent` runs at the first refusal only. */
export async function requirePoint(
  counter: Counter,
  key: string,
  onSpent?: () => Promise<unknown>,
): Promise<void> {
  const { allowed, retryAfter, limit, justSpent } = await consume(counter, key);
  if (justSpent) await onSpent?.();
  if (!allowed) throw refuse("too_many_requests", { retryAfter, limit });
}

/**
 * Returns one point, for an attempt that turned out not to count. Does nothing once a new window has begun, so that
 * points cannot be saved up.
 */
export async function giveBack(counter: Counter, key: string): Promise<Standing> {
  const given = await counting(counter, async (limiter) => {
    const after = await limiter.reward(stored(key));
    return after.consumedPoints < 0 ? limiter.penalty(stored(key)) : after;
  });
  return standing(counter, given);
}

/** Resets the counter of a key. */
export async function forget(counter: Counter, key: string): Promise<void> {
  await counting(counter, (limiter) => limiter.delete(stored(key)));
}

/**
 * Returns the key under which a client address is counted: an IPv6 client by its /64, an IPv4-mapped address as IPv4.
 */
export function addressBucket(ip: string): string {
  if (isIPv4(ip)) return ip;
  const address = parseAddress(ip);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? ip;
  const network = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

export async function closeLimiter(): Promise<void> {
  shared.tellalRedis?.disconnect();
  shared.tellalRedis = undefined;
  shared.tellalLimiters = undefined;
  shared.tellalRedisRests = undefined;
}
