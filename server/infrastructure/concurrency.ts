import pLimit from "p-limit";
import { refuse } from "@/server/core/errors";

/** Runs some work now or in its turn. Throws `busy` when too many wait already. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets `running` pieces of work run at once and `waiting` more wait, first come, first served. */
export function limitConcurrency({ running, waiting }: { running: number; waiting: number }): Queue {
  const limit = pLimit(running);
  return async (work) => {
    if (limit.activeCount + limit.pendingCount >= running + waiting) throw refuse("busy", { retryAfter: 2 });
    return limit(work);
  };
}
