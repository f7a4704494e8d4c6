/** For 100,000 characters; quadratic work takes more than ten seconds. */
export const LINEAR_TIME_LIMIT = 1000;

/** Returns the CPU time of a function in milliseconds, independent of the machine's load. */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
