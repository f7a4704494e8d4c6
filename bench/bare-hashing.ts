import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { ARGON2 } from "@/server/infrastructure/secrets/password";

/* Argon2id alone: as many concurrent verifications as the thread pool runs. Prints how many a second it reached. */

const PASSWORD = "bench-password";
const stored = await hash(PASSWORD, ARGON2);
const until = performance.now() + Number(process.argv[2]) * 1000;
const startedAt = performance.now();
let count = 0;

async function verifyOn(): Promise<void> {
  while (performance.now() < until) {
    await verify(stored, PASSWORD);
    count++;
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, verifyOn));
process.stdout.write(String(count / ((performance.now() - startedAt) / 1000)));
