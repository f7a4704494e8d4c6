/**
 * Milliseconds of processor time within which work on 100,000 characters is linear: in quadratic time, that takes more
 * than ten seconds.
 */
export const LINEAR = 1000;

/** Returns the processor time of a function in milliseconds, which a busy machine does not change. */
export function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
