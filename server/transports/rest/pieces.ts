import { setImmediate } from "node:timers/promises";

/** Work that pauses wherever others may go first. */
export type Pieces<T> = Generator<void, T>;

/** Milliseconds of work after which others go first. */
const LONG = 2;

/** Does it in one go. */
export function atOnce<T>(work: Pieces<T>): T {
  let piece = work.next();
  while (!piece.done) piece = work.next();
  return piece.value;
}

/** Does it beside what the server does otherwise. */
export async function beside<T>(work: Pieces<T>): Promise<T> {
  let startedAt = performance.now();
  let piece = work.next();
  while (!piece.done) {
    if (performance.now() - startedAt > LONG) {
      await setImmediate();
      startedAt = performance.now();
    }
    piece = work.next();
  }
  return piece.value;
}
