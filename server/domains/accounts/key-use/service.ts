import type { UserActor } from "@/server/core/context";
import { registeredDomains } from "@/server/core/domain";
import { log } from "@/server/core/log";
import { errorReason } from "@/server/core/redact";
import { DAY, fromNow, isoMicros, MINUTE } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addressBucket } from "@/server/infrastructure/rate-limit/limiter";
import { addUse } from "./statements";

export const RETENTION_DAYS = 30;
const RECENT_DAYS = 7;
/** Maximum number of counters in memory; further calls are counted as `other`. */
const COUNTERS_MAX = 20_000;
const OTHER = "other";

type Key = { tokenId: number } | { externalKeyId: number };

interface Counter {
  kind: "api_key" | "external_key";
  id: number;
  day: number;
  operation: string;
  ip: string;
  calls: number;
  lastAt: number;
}

const shared = globalThis as {
  tellalKeyUse?: Map<string, Counter>;
  tellalKeyUseTimer?: NodeJS.Timeout;
  tellalKeyUseWritten?: Promise<void>;
};

/** Counts a call in memory and writes it within a minute; a killed process loses that minute. */
export function countUse({ token: { kind, id } }: UserActor, operation: string, ip: string): void {
  if (kind !== "api_key" && kind !== "external_key") return;
  const at = Date.now();
  addCounter({ kind, id, day: Math.floor(at / DAY), operation, ip, calls: 1, lastAt: at });
  shared.tellalKeyUseTimer ??= setTimeout(writeInBackground, MINUTE).unref();
}

function addCounter(counter: Counter): void {
  shared.tellalKeyUse ??= new Map();
  const counters = shared.tellalKeyUse;
  const { kind, id, day, operation, ip } = counter;
  const key = `${kind}${id} ${day} ${operation} ${ip}`;
  const existing = counters.get(key);
  if (existing) {
    existing.calls += counter.calls;
    existing.lastAt = Math.max(existing.lastAt, counter.lastAt);
  } else if (counters.size < COUNTERS_MAX || operation === OTHER) counters.set(key, counter);
  else addCounter({ ...counter, operation: OTHER, ip: OTHER });
}

function writeInBackground(): void {
  writeUse().catch((error: unknown) =>
    log.warn({ event: "key_use.not_written", reason: errorReason(error) }),
  );
}

/** Writes all counters; restores them on failure. Serialised, so that it includes earlier writes. */
export function writeUse(): Promise<void> {
  const before = shared.tellalKeyUseWritten ?? Promise.resolve();
  shared.tellalKeyUseWritten = before.catch(() => {}).then(writeCounters);
  return shared.tellalKeyUseWritten;
}

async function writeCounters(): Promise<void> {
  clearTimeout(shared.tellalKeyUseTimer);
  shared.tellalKeyUseTimer = undefined;
  const counters = [...(shared.tellalKeyUse?.values() ?? [])];
  if (counters.length === 0) return;
  shared.tellalKeyUse = undefined;
  try {
    await addUse(withoutTransaction(), columnsOf(counters));
  } catch (error) {
    for (const counter of counters) addCounter(counter);
    shared.tellalKeyUseTimer ??= setTimeout(writeInBackground, MINUTE).unref();
    throw error;
  }
}

/** Merges addresses of one network and transposes the counters for the statement. */
function columnsOf(counters: Counter[]) {
  const rows = new Map<string, Counter>();
  for (const counter of counters) {
    const ip = counter.ip === OTHER ? OTHER : addressBucket(counter.ip);
    const key = `${counter.kind}${counter.id} ${counter.day} ${counter.operation} ${ip}`;
    const existing = rows.get(key);
    rows.set(key, {
      ...counter,
      ip,
      calls: counter.calls + (existing?.calls ?? 0),
      lastAt: Math.max(counter.lastAt, existing?.lastAt ?? 0),
    });
  }
  const list = [...rows.values()];
  return {
    tokenIds: list.map(({ kind, id }) => (kind === "api_key" ? id : null)),
    externalKeyIds: list.map(({ kind, id }) => (kind === "external_key" ? id : null)),
    days: list.map(({ day }) => dayOf(day * DAY)),
    operations: list.map(({ operation }) => operation),
    addresses: list.map(({ ip }) => ip),
    calls: list.map(({ calls }) => calls),
    lastAts: list.map(({ lastAt }) => new Date(lastAt)),
  };
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** UTC midnight of the first of the last `days` days, including today. */
const since = (days: number) => new Date(dayOf(fromNow(-(days - 1) * DAY).getTime()));

export async function recentUseOf(
  { db }: Pick<DbAccess, "db">,
  column: "tokenId" | "externalKeyId",
  ids: number[],
): Promise<(id: number) => { calls_7d: number; addresses_count: number }> {
  await writeUse();
  const rows = await db.keyUse.groupBy({
    by: [column, "address"],
    where: { [column]: { in: ids }, day: { gte: since(RECENT_DAYS) } },
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

/** Returns a key's use in the last 30 days by operation and by address, most frequent first. */
export async function readUse({ db }: Pick<DbAccess, "db">, key: Key) {
  const column = "tokenId" in key ? "tokenId" : "externalKeyId";
  const id = "tokenId" in key ? key.tokenId : key.externalKeyId;
  const recent = await recentUseOf({ db }, column, [id]);
  const where: Prisma.KeyUseWhereInput = { ...key, day: { gte: since(RETENTION_DAYS) } };
  const figures = { _sum: { calls: true }, _max: { lastAt: true } } as const;
  const [operations, addresses] = await Promise.all([
    db.keyUse.groupBy({ by: "operation", where, ...figures }),
    db.keyUse.groupBy({ by: "address", where, ...figures }),
  ]);
  const operationsById = new Map(
    registeredDomains().flatMap(({ operations: domainOperations = {} }) =>
      Object.values(domainOperations).map(({ operation }) => [operation.id, operation] as const),
    ),
  );
  return {
    ...recent(id),
    operations: ranked(
      operations.map(({ operation, _sum, _max }) => ({
        operation: operation === OTHER ? null : operation,
        method: operationsById.get(operation)?.method ?? null,
        path: operationsById.get(operation)?.path ?? null,
        calls: _sum.calls ?? 0,
        last_at: isoMicros(_max.lastAt!),
      })),
    ),
    addresses: ranked(
      addresses.map(({ address, _sum, _max }) => ({
        address: address === OTHER ? null : address,
        calls: _sum.calls ?? 0,
        last_at: isoMicros(_max.lastAt!),
      })),
    ),
  };
}

function ranked<Row extends { calls: number; last_at: string }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => b.calls - a.calls || (a.last_at < b.last_at ? 1 : -1));
}
