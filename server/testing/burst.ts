/** Rounds of a burst test: 3, or `BURST_ROUNDS` for more certainty. */
export const BURST_ROUNDS = Array.from(
  { length: Number(process.env.BURST_ROUNDS ?? 3) },
  (_, index) => index + 1,
);

export async function runConcurrently<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** Counts responses by status: `{ 201: 1, 422: 49 }`. */
export function countByStatus(responses: Array<{ status: number }>): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
