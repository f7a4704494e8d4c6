import type { UserActor } from "@/server/core/context";
import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { DAY, MINUTE } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { toIpBucket } from "@/server/infrastructure/rate-limit/limiter";
import { addKeyCalls, addKeyUse } from "../statements";

/** Maximum number of counters in memory; further calls are counted as `other`. */
const MAX_COUNTERS = 20_000;
export const OTHER_CALLS = "other";

interface Key {
  kind: "api_key" | "external_key";
  id: number;
}

interface Counter extends Key {
  day: number;
  operation: string;
  ip: string;
  calls: number;
  lastAt: number;
}

const CALL_SLOT_MS = 15 * MINUTE;

/** Calls that were answered, by quarter of an hour. */
interface CallCounter extends Key {
  slot: number;
  calls: number;
  errors: number;
}

const globalState = globalThis as {
  tellalKeyUse?: Map<string, Counter>;
  tellalKeyCalls?: Map<string, CallCounter>;
  tellalKeyUseTimer?: NodeJS.Timeout;
  tellalKeyUseWritten?: Promise<void>;
};

/** Counts a call in memory. A timer writes it within a minute; a killed process loses that minute. */
export function recordKeyUse({ token: { kind, id } }: UserActor, operation: string, ip: string): void {
  if (kind !== "api_key" && kind !== "external_key") return;
  const at = Date.now();
  addCounter({ kind, id, day: Math.floor(at / DAY), operation, ip, calls: 1, lastAt: at });
  scheduleWrite();
}

/** Counts the answer to a call, in the same way. */
export function recordKeyCall({ token: { kind, id } }: UserActor, status: number): void {
  if (kind !== "api_key" && kind !== "external_key") return;
  const slot = Math.floor(Date.now() / CALL_SLOT_MS);
  addCallCounter({ kind, id, slot, calls: 1, errors: status >= 400 ? 1 : 0 });
  scheduleWrite();
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

function addCallCounter(counter: CallCounter): void {
  globalState.tellalKeyCalls ??= new Map();
  const counterKey = `${counter.kind}${counter.id} ${counter.slot}`;
  const existingCounter = globalState.tellalKeyCalls.get(counterKey);
  if (!existingCounter) return void globalState.tellalKeyCalls.set(counterKey, counter);
  existingCounter.calls += counter.calls;
  existingCounter.errors += counter.errors;
}

function scheduleWrite(): void {
  globalState.tellalKeyUseTimer ??= setTimeout(writeInBackground, MINUTE).unref();
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
  const callCounters = [...(globalState.tellalKeyCalls?.values() ?? [])];
  globalState.tellalKeyUse = undefined;
  globalState.tellalKeyCalls = undefined;
  const results = await Promise.allSettled([
    writeOrRestore(counters, (each) => addKeyUse(withoutTransaction(), mergeIntoColumns(each)), addCounter),
    writeOrRestore(
      callCounters,
      (each) => addKeyCalls(withoutTransaction(), toCallColumns(each)),
      addCallCounter,
    ),
  ]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

async function writeOrRestore<T>(
  counters: T[],
  write: (counters: T[]) => Promise<unknown>,
  restore: (counter: T) => void,
): Promise<void> {
  if (counters.length === 0) return;
  try {
    await write(counters);
  } catch (error) {
    for (const counter of counters) restore(counter);
    scheduleWrite();
    throw error;
  }
}

function toKeyColumns(counters: Key[]) {
  return {
    tokenIds: counters.map(({ kind, id }) => (kind === "api_key" ? id : null)),
    externalKeyIds: counters.map(({ kind, id }) => (kind === "external_key" ? id : null)),
  };
}

function toCallColumns(counters: CallCounter[]) {
  return {
    ...toKeyColumns(counters),
    ats: counters.map(({ slot }) => new Date(slot * CALL_SLOT_MS)),
    calls: counters.map(({ calls }) => calls),
    errors: counters.map(({ errors }) => errors),
  };
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
    ...toKeyColumns(mergedCounters),
    days: mergedCounters.map(({ day }) => toUtcDay(day * DAY)),
    operations: mergedCounters.map(({ operation }) => operation),
    addresses: mergedCounters.map(({ ip }) => ip),
    calls: mergedCounters.map(({ calls }) => calls),
    lastAts: mergedCounters.map(({ lastAt }) => new Date(lastAt)),
  };
}

export const toUtcDay = (at: number) => new Date(at).toISOString().slice(0, 10);
