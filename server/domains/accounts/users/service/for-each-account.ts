import { log } from "@/server/core/log";
import { errorReason } from "@/server/core/redact";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";
import { tryLockUserRow } from "../statements";

const CONCURRENCY = 3;

/**
 * Runs a transaction per account with its row locked. Skips locked accounts until the next run. A failure
 * does not stop the others; the last one is thrown, so that the job is retried.
 */
export async function forEachAccount(
  userIds: number[],
  work: (tx: DbAccess, userId: number) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  const queue = [...userIds];
  const processAccount = (userId: number) =>
    inTransaction(async (tx) => {
      const [locked] = await tryLockUserRow(tx, { userId });
      if (locked) await work(tx, userId);
    }).catch((error: unknown) => {
      failure = error;
      log.error({ event: "jobs.account_failed", account: userId, reason: errorReason(error) });
    });
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await processAccount(next);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (failure) throw failure;
}
