import { pool } from "@/server/infrastructure/database/client";

/** How many statements of this test's database wait for a lock that another transaction holds. */
export async function waitingForLocks(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0]!.count;
}
