import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { tryLockUserRow } from "../statements";

const CONCURRENCY = 3;

/** Runs a transaction per account; skips locked ones until the next run. Throws the last error at the end. */
export async function forEachAccount(
  userIds: number[],
  work: (tx: DbAccess, userId: number) => Promise<void>,
): Promise<void> {
  let lastError: unknown;
  const queue = [...userIds];
  const processAccount = (userId: number) =>
    inTransaction(async (tx) => {
      const [lockedRow] = await tryLockUserRow(tx, { userId });
      if (lockedRow) await work(tx, userId);
    }).catch((error: unknown) => {
      lastError = error;
      log.error({ event: "jobs.account_failed", account: userId, reason: getErrorReason(error) });
    });
  const processQueue = async () => {
    for (let userId = queue.shift(); userId !== undefined; userId = queue.shift())
      await processAccount(userId);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, processQueue));
  if (lastError) throw lastError;
}
