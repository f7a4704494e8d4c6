import { log } from "@/server/core/log";

/** Milliseconds without a turn of the event loop that are logged. */
const STALL = 200;
/** Milliseconds between two looks. */
const INTERVAL = 100;
/** Operations that one line names. */
const NAMED = 5;

/** Operations under way, and those that ended since the last look. */
const running = new Map<symbol, string>();
let ended: string[] = [];

/** Runs an operation or job. The log names it when the event loop stalls while it runs. */
export async function watched<T>(name: string, work: () => Promise<T>): Promise<T> {
  const id = Symbol(name);
  running.set(id, name);
  try {
    return await work();
  } finally {
    running.delete(id);
    if (ended.length < NAMED) ended.push(name);
  }
}

/**
 * Logs each stall of the event loop with the operations that ran during it, those that it held up included. `cpu_ms` far
 * below `ms` means that the machine is busy.
 */
export function watchStalls(): void {
  let before = { at: performance.now(), cpu: process.cpuUsage() };
  setInterval(() => {
    const stalled = performance.now() - before.at - INTERVAL;
    if (stalled > STALL) {
      const { user, system } = process.cpuUsage(before.cpu);
      const operations = [...new Set([...running.values(), ...ended])].slice(0, NAMED);
      const cpu_ms = Math.round((user + system) / 1000);
      log.warn({ event: "event_loop.stalled", ms: Math.round(stalled), cpu_ms, operations });
    }
    ended = [];
    before = { at: performance.now(), cpu: process.cpuUsage() };
  }, INTERVAL).unref();
}
