import { availableParallelism } from "node:os";
import { hash, type Options, verify } from "@node-rs/argon2";
import { limitConcurrency } from "@/server/infrastructure/concurrency";

/** OWASP's minimum for Argon2id, about 13 ms: 19 MiB, two passes. The library's default kind is Argon2id. */
export const ARGON2: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * One for each core that the process may use: more only take the cache from each other, and turns from everything else.
 * A longer queue than this is answered with 503.
 */
const queued = limitConcurrency({ running: availableParallelism(), waiting: 64 });

/** Hashes a password for storage. Throws `busy` (503) when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, ARGON2));
}

let decoy: Promise<string> | undefined;

/** Creates the decoy, so that the first sign-in takes no longer than the next. */
export async function warmPasswords(): Promise<void> {
  decoy ??= hash("no account has this password", ARGON2);
  await decoy;
}

/**
 * Whether a password matches. Without a stored hash (unknown address, account without a password) a decoy is
 * verified, so that the response takes the same time.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  await warmPasswords();
  const against = stored ?? (await decoy!);
  const fits = await queued(() => verify(against, password));
  return fits && Boolean(stored);
}
