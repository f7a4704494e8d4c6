import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { storage } from "./storage";

/** Seconds; longer than the timeout of a hanging bucket. */
const TIMEOUT = 300;

/** Removes a file of a row. Returns false while a backup runs, which may need it: retry later. */
export async function removeStored(key: string): Promise<boolean> {
  return inTransaction(
    async (tx) => {
      const free = await lockForRemoval(tx);
      if (free) await storage().remove(key);
      return free;
    },
    { seconds: TIMEOUT },
  );
}

/** Tests that no backup is running, and prevents one from starting until the transaction ends. */
export async function lockForRemoval({ sql }: Pick<DbAccess, "sql">): Promise<boolean> {
  const [lock] = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${ADVISORY.backup}) as free`;
  return lock?.free ?? false;
}
