import { FALLBACK_LOCALE } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { revokeKept } from "@/server/domains/identities/service/grant";
import { notifyOwner } from "@/server/domains/profile/service";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { TeardownKind } from "./service/teardown";

/** Minutes until the next attempt, by the number of attempts made; the last one repeats. */
const BACK_OFF = [1, 2, 5, 15, 60, 240, 720, 1440];
/** After that the secret is wiped all the same, and the operator is told. */
const GIVE_UP = 30 * DAY;

/** How each thing outside is undone. Throws when it could not be reached: it is tried again. */
const UNDO: Record<TeardownKind, (sealed: Uint8Array) => Promise<void>> = { apple_grant: revokeKept };

interface Task {
  id: number;
  kind: TeardownKind;
  sealed: Buffer;
  attempts: number;
  created_at: Date;
}

/** Undoes one thing outside. A second run of a finished task does nothing. */
export async function tearDownJob({ taskId }: { taskId: number }): Promise<void> {
  const sql = statementsOn(pool());
  const [task] = await sql<Task>`
    select id, kind, sealed, attempts, created_at from teardown_tasks
     where id = ${taskId} and state = 'pending' and sealed is not null`;
  if (!task) return;
  try {
    await UNDO[task.kind](task.sealed);
    await sql`
      update teardown_tasks set state = 'done', sealed = null, error = null, attempts = attempts + 1, finished_at = now()
       where id = ${taskId}`;
  } catch (error) {
    await retryLater(task, error instanceof Error ? error.message : String(error));
  }
}

async function retryLater(task: Task, reason: string): Promise<void> {
  const over = task.created_at.getTime() < Date.now() - GIVE_UP;
  log[over ? "error" : "warn"]({
    event: over ? "teardown.gave_up" : "teardown.retry",
    task: task.id,
    kind: task.kind,
    attempts: task.attempts + 1,
    reason,
  });
  await inTransaction(async (tx) => {
    await tx.sql`
      update teardown_tasks
         set attempts = attempts + 1, error = ${reason.slice(0, 500)},
             state = case when ${over} then 'failed' else state end,
             sealed = case when ${over} then null else sealed end,
             finished_at = case when ${over} then now() end
       where id = ${task.id}`;
    if (over) return;
    const minutes = BACK_OFF[Math.min(task.attempts, BACK_OFF.length - 1)]!;
    await addJob(tx, "tear_down", { taskId: task.id }, { runAt: fromNow(minutes * MINUTE) });
  });
}

/** As many mails as one transaction writes. */
const AT_ONCE = 200;

/** Tells customers and sub-users that whoever was above them has left. Each is told once. */
export async function tellReleasedJob({ userIds }: { userIds: number[] }): Promise<void> {
  await inTransaction(async (tx) => {
    for (const userId of userIds.slice(0, AT_ONCE))
      await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, userId, "account_released", {
        path: "/dashboard",
      });
    const rest = userIds.slice(AT_ONCE);
    if (rest.length > 0) await addJob(tx, "tell_released", { userIds: rest });
  });
}
