let leaving = false;

/** Whether the worker of this process ends: a job that works in rounds begins no further one. */
export const isLeaving = () => leaving;

export function setLeaving(now: boolean): void {
  leaving = now;
}
