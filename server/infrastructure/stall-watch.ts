import { log } from "@/server/core/log";

/** Milliseconds. Shorter stalls are not logged. */
const STALL = 200;
const INTERVAL = 100;
const NAMED = 5;

/** Running operations, and those that ended since the last check. */
const running = new Map<symbol, string>();
let ended: string[] = [];

/** Runs an operation or job, which is logged if the event loop stalls during it. */
export async function trackOperation<T>(name: string, work: () => Promise<T>): Promise<T> {
  const id = Symbol(name);
  running.set(id, name);
  try {
    return await work();
  } finally {
    running.delete(id);
    if (ended.length < NAMED) ended.push(name);
  }
}

/** Logs stalls with all operations during them. `cpu_ms` far below `ms`: the machine is busy. */
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
