import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";
import { takeRow } from "../statements";

/** Accounts that are worked on at a time: the database answers for one while another one is thought about. */
const AT_ONCE = 3;

/**
 * Does what is due for each account, in a transaction of its own that holds the account's row. Whoever else is at work
 * on an account keeps it, and the next run finds what is left; one that fails holds up no other. Throws the last
 * failure, so that the job runs again.
 */
export async function forEachAccount(
  userIds: number[],
  work: (tx: Work, userId: number) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  const waiting = [...userIds];
  const one = (userId: number) =>
    inTransaction(async (tx) => {
      const [taken] = await takeRow(tx, { userId });
      if (taken) await work(tx, userId);
    }).catch((error: unknown) => {
      failure = error;
      log.error({ event: "jobs.account_failed", account: userId, reason: reasonOf(error) });
    });
  const inTurns = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, inTurns));
  if (failure) throw failure;
}
