import { lazyValue } from "@/server/core/lazy-value";

const worker = lazyValue(() => ({ leaving: false }));

/** Tests whether this worker is stopping: jobs that run in batches must not start another one. */
export const isWorkerStopping = () => worker().leaving;

export function setWorkerStopping(now: boolean): void {
  worker().leaving = now;
}
