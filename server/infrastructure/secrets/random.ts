import { randomFillSync } from "node:crypto";

/** Buffer of random bytes: fetching a few from the system costs as much as fetching all. */
const buffer = Buffer.alloc(4096);
let usedBytes = buffer.length;

/** Returns a random byte and erases it from the buffer. */
export function randomByte(): number {
  if (usedBytes === buffer.length) {
    randomFillSync(buffer);
    usedBytes = 0;
  }
  const byte = buffer[usedBytes]!;
  buffer[usedBytes++] = 0;
  return byte;
}
