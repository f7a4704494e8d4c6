import { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterRes,
} from "rate-limiter-flexible";
import { env } from "@/server/core/env";
import { pool } from "@/server/infrastructure/database/client";

/** A counter: so many points within so many seconds, for each key. */
export interface Counter {
  name: string;
  points: number;
  /** Window in seconds. */
  per: number;
  /** Shared by processes and kept over a restart. */
  durable?: boolean;
}

/** Where a counter stands after a call. */
export interface Standing {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  retryAfter: number;
}

const shared = globalThis as { tellalRedis?: Redis; tellalLimiters?: Map<string, RateLimiterAbstract> };

function limiterOf({ name, points, per, durable }: Counter): RateLimiterAbstract {
  shared.tellalLimiters ??= new Map();
  let limiter = shared.tellalLimiters.get(name);
  if (!limiter) {
    const options = { keyPrefix: name, points, duration: per };
    const { REDIS_URL } = env();
    if (durable && REDIS_URL) {
      shared.tellalRedis ??= new Redis(REDIS_URL, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
      limiter = new RateLimiterRedis({ ...options, storeClient: shared.tellalRedis });
    } else if (durable) {
      limiter = new RateLimiterPostgres({
        ...options,
        storeClient: pool(),
        storeType: "pool",
        tableName: "rate_limits",
        tableCreated: true,
        clearExpiredByTimeout: false,
      });
    } else {
      limiter = new RateLimiterMemory(options);
    }
    shared.tellalLimiters.set(name, limiter);
  }
  return limiter;
}

function standing({ points }: Counter, result: RateLimiterRes): Standing {
  return {
    allowed: result.consumedPoints <= points,
    limit: points,
    remaining: Math.max(0, points - result.consumedPoints),
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
}

/** Counts one call. Exact under concurrency; a store that cannot be reached throws (fails closed). */
export async function consume(counter: Counter, key: string): Promise<Standing> {
  try {
    return standing(counter, await limiterOf(counter).consume(key));
  } catch (rejection) {
    // The library rejects with the counter itself when the points are used up, with an error otherwise.
    if (rejection instanceof Error) throw rejection;
    return standing(counter, rejection as RateLimiterRes);
  }
}

/** Gives one point back: the attempt turned out not to count. */
export async function giveBack(counter: Counter, key: string): Promise<void> {
  await limiterOf(counter).reward(key);
}

/** Forgets what was counted for a key. */
export async function forget(counter: Counter, key: string): Promise<void> {
  await limiterOf(counter).delete(key);
}

/** What one client address counts as: an IPv6 client owns a /64, an IPv4-mapped address is IPv4. */
export function addressBucket(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("%")[0]!.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  const full =
    tail === undefined
      ? left
      : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return `${full
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":")}::/64`;
}

export async function closeLimiter(): Promise<void> {
  shared.tellalRedis?.disconnect();
  shared.tellalRedis = undefined;
  shared.tellalLimiters = undefined;
}
