import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { ARGON2_OPTIONS } from "@/server/infrastructure/secrets/password";

/* Verifies Argon2id hashes in all threads of the pool. Prints verifications per second. */

const PASSWORD = "bench-password";
const passwordHash = await hash(PASSWORD, ARGON2_OPTIONS);
const deadline = performance.now() + Number(process.argv[2]) * 1000;
const startedAt = performance.now();
let count = 0;

async function verifyUntilDeadline(): Promise<void> {
  while (performance.now() < deadline) {
    await verify(passwordHash, PASSWORD);
    count++;
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, verifyUntilDeadline));
process.stdout.write(String(count / ((performance.now() - startedAt) / 1000)));
