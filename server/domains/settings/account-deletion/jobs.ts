import { getRegisteredDomains } from "@/server/core/domain";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, MINUTE } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { planRetry, type RetryPolicy } from "@/server/infrastructure/jobs/retry";
import { deleteExpiredAccounts } from "./service/expire";

/** After 30 days the secret is wiped and an error is logged. */
const RETRY_POLICY: RetryPolicy = {
  event: "teardown",
  backoff: [1, 2, 5, 15, 60, 240, 720, 1440].map((minutes) => minutes * MINUTE),
  maxAge: 30 * DAY,
  level: "error",
};

async function runCleanup({ kind, sealed }: { kind: string; sealed: Uint8Array }): Promise<void> {
  const cleanup = getRegisteredDomains().find(
    (registeredDomain) =>
      registeredDomain.externalCleanups && Object.hasOwn(registeredDomain.externalCleanups, kind),
  )?.externalCleanups?.[kind];
  if (!cleanup) throw new Error(`nothing undoes ${kind}`);
  await cleanup.cleanUp(sealed);
}

const TASK_SELECT = {
  id: true,
  kind: true,
  sealed: true,
  attempts: true,
  createdAt: true,
} as const satisfies Prisma.TeardownTaskSelect;
type Task = Prisma.TeardownTaskGetPayload<{ select: typeof TASK_SELECT }>;

export async function tearDownJob({ taskId }: { taskId: number }): Promise<void> {
  const { db } = withoutTransaction();
  const task = await db.teardownTask.findUnique({
    where: { id: taskId, state: "pending" },
    select: TASK_SELECT,
  });
  if (!task?.sealed) return;
  try {
    await runCleanup({ kind: task.kind, sealed: task.sealed });
    await db.teardownTask.update({
      where: { id: taskId },
      data: {
        state: "done",
        sealed: null,
        error: null,
        attempts: { increment: 1 },
        finishedAt: new Date(),
      },
      select: { id: true },
    });
  } catch (error) {
    await retryOrGiveUp(task, error instanceof Error ? error.message : String(error));
  }
}

async function retryOrGiveUp(task: Task, reason: string): Promise<void> {
  const { id, kind, attempts, createdAt } = task;
  const runAt = planRetry(RETRY_POLICY, {
    previousAttempts: attempts,
    createdAt,
    reason,
    context: { task: id, kind },
  });
  await inTransaction(async (tx) => {
    await tx.db.teardownTask.update({
      where: { id },
      data: {
        attempts: { increment: 1 },
        error: reason.slice(0, 500),
        ...(runAt ? { finishedAt: null } : { finishedAt: new Date(), state: "failed", sealed: null }),
      },
      select: { id: true },
    });
    if (runAt) await addJob(tx, "tear_down", { taskId: id }, { runAt });
  });
}

export async function deleteExpiredAccountsJob(): Promise<void> {
  await deleteExpiredAccounts(withoutTransaction());
}

const NOTIFY_BATCH_SIZE = 200;

/** Notifies customers and sub-users that their reseller's or parent account was deleted. */
export async function notifyReleasedAccountsJob({ userIds }: { userIds: number[] }): Promise<void> {
  await inTransaction(async (tx) => {
    for (const userId of userIds.slice(0, NOTIFY_BATCH_SIZE))
      await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, userId, "account_released", {
        path: "/dashboard",
      });
    const remainingIds = userIds.slice(NOTIFY_BATCH_SIZE);
    if (remainingIds.length > 0) await addJob(tx, "tell_released", { userIds: remainingIds });
  });
}
