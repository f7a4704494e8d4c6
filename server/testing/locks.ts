import { expect } from "vitest";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { pool } from "@/server/infrastructure/database/client";
import { inTransaction, type Work } from "@/server/infrastructure/database/transaction";

/** How many statements of this test's database wait for a lock that another transaction holds. */
export async function waitingForLocks(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0]!.count;
}

/** Locks an account, makes a call that waits for the lock, runs `work` while it waits, and returns its response. */
export async function whileWaiting<Response>(
  userId: number,
  call: () => Promise<Response>,
  work: (tx: Work) => Promise<unknown>,
): Promise<Response> {
  const calls: Promise<Response>[] = [];
  await inTransaction(
    async (tx) => {
      await lockUser(tx, userId);
      calls.push(call());
      await expect.poll(waitingForLocks, { timeout: 30_000 }).toBe(1);
      await work(tx);
    },
    { seconds: 60 },
  ).finally(() => Promise.allSettled(calls));
  return calls[0]!;
}
