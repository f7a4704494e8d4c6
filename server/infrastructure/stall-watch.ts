import { log } from "@/server/core/log";

/** Milliseconds. Shorter stalls are not logged. */
const MIN_STALL_MS = 200;
const CHECK_INTERVAL_MS = 100;
const MAX_NAMED_OPERATIONS = 5;

/** Running operations, and those that ended since the last check. */
const runningOperations = new Map<symbol, string>();
let endedOperations: string[] = [];

/** Runs an operation or job, which is logged if the event loop stalls during it. */
export async function trackOperation<T>(name: string, work: () => Promise<T>): Promise<T> {
  const id = Symbol(name);
  runningOperations.set(id, name);
  try {
    return await work();
  } finally {
    runningOperations.delete(id);
    if (endedOperations.length < MAX_NAMED_OPERATIONS) endedOperations.push(name);
  }
}

/** Logs stalls with their operations. If `cpu_ms` is far below `ms`, other programs used the CPU. */
export function watchStalls(): void {
  let lastCheck = { at: performance.now(), cpu: process.cpuUsage() };
  setInterval(() => {
    const stallMs = performance.now() - lastCheck.at - CHECK_INTERVAL_MS;
    if (stallMs > MIN_STALL_MS) {
      const { user, system } = process.cpuUsage(lastCheck.cpu);
      const operations = [...new Set([...runningOperations.values(), ...endedOperations])].slice(
        0,
        MAX_NAMED_OPERATIONS,
      );
      const cpu_ms = Math.round((user + system) / 1000);
      log.warn({ event: "event_loop.stalled", ms: Math.round(stallMs), cpu_ms, operations });
    }
    endedOperations = [];
    lastCheck = { at: performance.now(), cpu: process.cpuUsage() };
  }, CHECK_INTERVAL_MS).unref();
}
