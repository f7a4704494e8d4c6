import { kept } from "@/server/core/kept";

const worker = kept(() => ({ leaving: false }));

/** Tests whether this worker is stopping: jobs that run in batches must not start another one. */
export const isLeaving = () => worker().leaving;

export function setLeaving(now: boolean): void {
  worker().leaving = now;
}
