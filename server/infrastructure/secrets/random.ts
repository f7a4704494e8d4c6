import { randomFillSync } from "node:crypto";

/** Buffer of random bytes: fetching a few from the system costs as much as fetching all. */
const randomBuffer = Buffer.alloc(4096);
let usedBytes = randomBuffer.length;

/** Returns a random byte and erases it from the buffer. */
export function randomByte(): number {
  if (usedBytes === randomBuffer.length) {
    randomFillSync(randomBuffer);
    usedBytes = 0;
  }
  const byte = randomBuffer[usedBytes]!;
  randomBuffer[usedBytes++] = 0;
  return byte;
}
