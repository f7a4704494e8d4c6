import { randomFillSync } from "node:crypto";

/** Buffer of random bytes: fetching a few from the system costs as much as fetching all. */
const store = Buffer.alloc(4096);
let used = store.length;

/** Returns a random byte and erases it from the buffer. */
export function randomByte(): number {
  if (used === store.length) {
    randomFillSync(store);
    used = 0;
  }
  const byte = store[used]!;
  store[used++] = 0;
  return byte;
}
