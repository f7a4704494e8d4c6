/** Limit for 100,000 characters. Quadratic work takes more than ten seconds. */
export const LINEAR_TIME_LIMIT_MS = 1000;

export function measureCpuTimeMs(work: () => unknown): number {
  const usageBefore = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(usageBefore);
  return (user + system) / 1000;
}
