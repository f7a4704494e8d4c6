import { expect } from "vitest";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { pool } from "@/server/infrastructure/database/client";
import { type DbAccess, inTransaction } from "@/server/infrastructure/database/transaction";

export async function countLockWaits(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0]!.count;
}

/** Runs `work` while `call` waits for the account's lock; returns the call's result. */
export async function runWhileCallWaits<Response>(
  userId: number,
  call: () => Promise<Response>,
  work: (tx: DbAccess) => Promise<unknown>,
): Promise<Response> {
  const pendingCalls: Promise<Response>[] = [];
  await inTransaction(
    async (tx) => {
      await lockUser(tx, userId);
      pendingCalls.push(call());
      await expect.poll(countLockWaits, { timeout: 30_000 }).toBe(1);
      await work(tx);
    },
    { seconds: 60 },
  ).finally(() => Promise.allSettled(pendingCalls));
  return pendingCalls[0]!;
}
