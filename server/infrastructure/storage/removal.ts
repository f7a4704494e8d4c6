import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";
import { storage } from "./storage";

/** Seconds: longer than a bucket that hangs is waited for. */
const PATIENCE = 300;

/**
 * Removes a file that rows have named. False, and nothing is done, while a backup is made: its rows may name the file
 * still. Try again after a minute, or leave it to the next sweep.
 */
export async function removeStored(key: string): Promise<boolean> {
  return inTransaction(
    async (tx) => {
      const free = await mayRemove(tx);
      if (free) await storage().remove(key);
      return free;
    },
    { seconds: PATIENCE },
  );
}

/** Whether no backup is made now, for which files stay that no row names any more. Within a transaction: until its end. */
export async function mayRemove({ sql }: Pick<Work, "sql">): Promise<boolean> {
  const [lock] = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${ADVISORY.backup}) as free`;
  return lock?.free ?? false;
}
