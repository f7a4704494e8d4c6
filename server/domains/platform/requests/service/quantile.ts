import { REQUEST_DURATION_LIMITS } from "@/server/core/metrics";

/**
 * Estimates a quantile as Prometheus does: linearly within its bucket, and the highest limit for longer durations.
 * `counts` has a number per limit and one for longer durations.
 */
export function estimateQuantileMs(quantile: number, counts: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = quantile * total;
  let shorter = 0;
  for (const [index, limit] of REQUEST_DURATION_LIMITS.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0 && shorter + count >= rank) {
      const start = REQUEST_DURATION_LIMITS[index - 1] ?? 0;
      return toMilliseconds(start + ((limit - start) * (rank - shorter)) / count);
    }
    shorter += count;
  }
  return toMilliseconds(REQUEST_DURATION_LIMITS.at(-1)!);
}

/** To a tenth: the buckets are wider than that. */
const toMilliseconds = (seconds: number) => Math.round(seconds * 10_000) / 10;
