import { kept } from "@/server/core/kept";

const worker = kept(() => ({ leaving: false }));

/** Whether the worker of this process ends: a job that works in rounds begins no further one. */
export const isLeaving = () => worker().leaving;

export function setLeaving(now: boolean): void {
  worker().leaving = now;
}
