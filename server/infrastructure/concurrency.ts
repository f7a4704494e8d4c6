import { refuse } from "@/server/core/errors";

/** Runs some work now or in its turn. Throws `busy` when too many wait already. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets `running` pieces of work run at once and `waiting` more wait, first come, first served. */
export function limitConcurrency(limits: { running: number; waiting: number }): Queue {
  let running = 0;
  const waiting: Array<() => void> = [];
  return async (work) => {
    if (running >= limits.running) {
      if (waiting.length >= limits.waiting) throw refuse("busy", { retryAfter: 2 });
      await new Promise<void>((start) => waiting.push(start));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      // The place goes on to the next in line, or becomes free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
