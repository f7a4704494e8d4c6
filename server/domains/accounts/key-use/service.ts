import type { UserActor } from "@/server/core/context";
import { getRegisteredDomains } from "@/server/core/domain";
import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { DAY, fromNow, MINUTE, toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { toIpBucket } from "@/server/infrastructure/rate-limit/limiter";
import { addKeyUse } from "./statements";

export const KEY_USE_RETENTION_DAYS = 30;
const RECENT_DAYS = 7;
/** Maximum number of counters in memory; further calls are counted as `other`. */
const MAX_COUNTERS = 20_000;
const OTHER_CALLS = "other";

type KeyReference = { tokenId: number } | { externalKeyId: number };

interface Counter {
  kind: "api_key" | "external_key";
  id: number;
  day: number;
  operation: string;
  ip: string;
  calls: number;
  lastAt: number;
}

const globalState = globalThis as {
  tellalKeyUse?: Map<string, Counter>;
  tellalKeyUseTimer?: NodeJS.Timeout;
  tellalKeyUseWritten?: Promise<void>;
};

/** Counts a call in memory. A timer writes it within a minute; a killed process loses that minute. */
export function recordKeyUse({ token: { kind, id } }: UserActor, operation: string, ip: string): void {
  if (kind !== "api_key" && kind !== "external_key") return;
  const at = Date.now();
  addCounter({ kind, id, day: Math.floor(at / DAY), operation, ip, calls: 1, lastAt: at });
  globalState.tellalKeyUseTimer ??= setTimeout(writeInBackground, MINUTE).unref();
}

function addCounter(counter: Counter): void {
  globalState.tellalKeyUse ??= new Map();
  const counters = globalState.tellalKeyUse;
  const { kind, id, day, operation, ip } = counter;
  const counterKey = `${kind}${id} ${day} ${operation} ${ip}`;
  const existingCounter = counters.get(counterKey);
  if (existingCounter) {
    existingCounter.calls += counter.calls;
    existingCounter.lastAt = Math.max(existingCounter.lastAt, counter.lastAt);
  } else if (counters.size < MAX_COUNTERS || operation === OTHER_CALLS) counters.set(counterKey, counter);
  else addCounter({ ...counter, operation: OTHER_CALLS, ip: OTHER_CALLS });
}

function writeInBackground(): void {
  writeKeyUse().catch((error: unknown) =>
    log.warn({ event: "key_use.not_written", reason: getErrorReason(error) }),
  );
}

/** Writes all counters; restores them on failure. Serialised: also waits for earlier writes. */
export function writeKeyUse(): Promise<void> {
  const previousWrite = globalState.tellalKeyUseWritten ?? Promise.resolve();
  globalState.tellalKeyUseWritten = previousWrite.catch(() => {}).then(writeCounters);
  return globalState.tellalKeyUseWritten;
}

async function writeCounters(): Promise<void> {
  clearTimeout(globalState.tellalKeyUseTimer);
  globalState.tellalKeyUseTimer = undefined;
  const counters = [...(globalState.tellalKeyUse?.values() ?? [])];
  if (counters.length === 0) return;
  globalState.tellalKeyUse = undefined;
  try {
    await addKeyUse(withoutTransaction(), mergeIntoColumns(counters));
  } catch (error) {
    for (const counter of counters) addCounter(counter);
    globalState.tellalKeyUseTimer ??= setTimeout(writeInBackground, MINUTE).unref();
    throw error;
  }
}

function mergeIntoColumns(counters: Counter[]) {
  const counterByKey = new Map<string, Counter>();
  for (const counter of counters) {
    const ip = counter.ip === OTHER_CALLS ? OTHER_CALLS : toIpBucket(counter.ip);
    const counterKey = `${counter.kind}${counter.id} ${counter.day} ${counter.operation} ${ip}`;
    const existingCounter = counterByKey.get(counterKey);
    counterByKey.set(counterKey, {
      ...counter,
      ip,
      calls: counter.calls + (existingCounter?.calls ?? 0),
      lastAt: Math.max(counter.lastAt, existingCounter?.lastAt ?? 0),
    });
  }
  const mergedCounters = [...counterByKey.values()];
  return {
    tokenIds: mergedCounters.map(({ kind, id }) => (kind === "api_key" ? id : null)),
    externalKeyIds: mergedCounters.map(({ kind, id }) => (kind === "external_key" ? id : null)),
    days: mergedCounters.map(({ day }) => toUtcDay(day * DAY)),
    operations: mergedCounters.map(({ operation }) => operation),
    addresses: mergedCounters.map(({ ip }) => ip),
    calls: mergedCounters.map(({ calls }) => calls),
    lastAts: mergedCounters.map(({ lastAt }) => new Date(lastAt)),
  };
}

const toUtcDay = (at: number) => new Date(at).toISOString().slice(0, 10);

const getPeriodStart = (days: number) => new Date(toUtcDay(fromNow(-(days - 1) * DAY).getTime()));

export async function loadRecentUseLookup(
  { db }: Pick<DbAccess, "db">,
  column: "tokenId" | "externalKeyId",
  ids: number[],
): Promise<(id: number) => { calls_7d: number; addresses_count: number }> {
  await writeKeyUse();
  const rows = await db.keyUse.groupBy({
    by: [column, "address"],
    where: { [column]: { in: ids }, day: { gte: getPeriodStart(RECENT_DAYS) } },
    _sum: { calls: true },
  });
  return (id) => {
    const keyRows = rows.filter((row) => row[column] === id);
    return {
      calls_7d: keyRows.reduce((sum, { _sum }) => sum + (_sum.calls ?? 0), 0),
      addresses_count: keyRows.length,
    };
  };
}

export async function readKeyUse({ db }: Pick<DbAccess, "db">, key: KeyReference) {
  const column = "tokenId" in key ? "tokenId" : "externalKeyId";
  const id = "tokenId" in key ? key.tokenId : key.externalKeyId;
  const getRecentUse = await loadRecentUseLookup({ db }, column, [id]);
  const where: Prisma.KeyUseWhereInput = { ...key, day: { gte: getPeriodStart(KEY_USE_RETENTION_DAYS) } };
  const aggregates = { _sum: { calls: true }, _max: { lastAt: true } } as const;
  const [operations, addresses] = await Promise.all([
    db.keyUse.groupBy({ by: "operation", where, ...aggregates }),
    db.keyUse.groupBy({ by: "address", where, ...aggregates }),
  ]);
  const operationsById = new Map(
    getRegisteredDomains().flatMap(({ operations: domainOperations = {} }) =>
      Object.values(domainOperations).map(({ operation }) => [operation.id, operation] as const),
    ),
  );
  return {
    ...getRecentUse(id),
    operations: sortByCalls(
      operations.map(({ operation, _sum, _max }) => ({
        operation: operation === OTHER_CALLS ? null : operation,
        method: operationsById.get(operation)?.method ?? null,
        path: operationsById.get(operation)?.path ?? null,
        calls: _sum.calls ?? 0,
        last_at: toIsoMicros(_max.lastAt!),
      })),
    ),
    addresses: sortByCalls(
      addresses.map(({ address, _sum, _max }) => ({
        address: address === OTHER_CALLS ? null : address,
        calls: _sum.calls ?? 0,
        last_at: toIsoMicros(_max.lastAt!),
      })),
    ),
  };
}

function sortByCalls<Row extends { calls: number; last_at: string }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => b.calls - a.calls || (a.last_at < b.last_at ? 1 : -1));
}
