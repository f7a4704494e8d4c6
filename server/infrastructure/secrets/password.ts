import { availableParallelism } from "node:os";
import { hash, type Options, verify } from "@node-rs/argon2";
import { createTaskQueue } from "@/server/infrastructure/concurrency";

/** OWASP's minimum for Argon2id, the library's default: 19 MiB, two passes, about 13 ms. */
export const ARGON2_OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One per core: more compete for the CPU cache and starve other work. A full queue causes 503. */
const limitHashing = createTaskQueue({ running: availableParallelism(), waiting: 64 });

/** Hashes a password for storage. Throws `busy` (503) if the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return limitHashing(() => hash(password, ARGON2_OPTIONS));
}

let decoyHash: Promise<string> | undefined;

/** Creates the decoy hash, so that the first sign-in is not slower. */
export async function prepareDecoyHash(): Promise<void> {
  decoyHash ??= hash("no account has this password", ARGON2_OPTIONS);
  await decoyHash;
}

/** Verifies a password; without a hash verifies a decoy, to take the same time. */
export async function verifyPassword(
  storedHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  await prepareDecoyHash();
  const hashToVerify = storedHash ?? (await decoyHash!);
  const isMatch = await limitHashing(() => verify(hashToVerify, password));
  return isMatch && Boolean(storedHash);
}
