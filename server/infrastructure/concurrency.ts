import pLimit from "p-limit";
import { createError } from "@/server/core/errors";

export type TaskQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns a FIFO queue with `running` concurrent and `waiting` queued tasks. */
export function createTaskQueue({ running, waiting }: { running: number; waiting: number }): TaskQueue {
  const limit = pLimit(running);
  return async (work) => {
    if (limit.activeCount + limit.pendingCount >= running + waiting)
      throw createError("busy", { retryAfter: 2 });
    return limit(work);
  };
}
