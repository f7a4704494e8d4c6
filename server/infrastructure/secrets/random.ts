import { randomFillSync } from "node:crypto";

/** Bytes of the system's generator that wait to be used: asking for a few costs as much as asking for all of them. */
const store = Buffer.alloc(4096);
let used = store.length;

/** One random byte. It is nowhere else afterwards. */
export function randomByte(): number {
  if (used === store.length) {
    randomFillSync(store);
    used = 0;
  }
  const byte = store[used]!;
  store[used++] = 0;
  return byte;
}
