import { lazyValue } from "@/server/core/lazy-value";

const workerState = lazyValue(() => ({ isStopping: false }));

/** Tests whether this worker is stopping: jobs that run in batches must not start another one. */
export const isWorkerStopping = () => workerState().isStopping;

export function setWorkerStopping(isStopping: boolean): void {
  workerState().isStopping = isStopping;
}
