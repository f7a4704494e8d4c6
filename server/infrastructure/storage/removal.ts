import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { storage } from "./storage";

/** Seconds; longer than the timeout of a hanging bucket. */
const REMOVAL_TIMEOUT_SECONDS = 300;

/** Removes a file of a row. Returns false while a backup runs, which may need it: retry later. */
export async function removeStoredFile(key: string): Promise<boolean> {
  return inTransaction(
    async (tx) => {
      const canRemove = await tryLockForRemoval(tx);
      if (canRemove) await storage().remove(key);
      return canRemove;
    },
    { seconds: REMOVAL_TIMEOUT_SECONDS },
  );
}

/** Tests that no backup is running, and prevents one from starting until the transaction ends. */
export async function tryLockForRemoval({ sql }: Pick<DbAccess, "sql">): Promise<boolean> {
  const [lock] = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.backup}) as free`;
  return lock?.free ?? false;
}
