import { DAY, fromNow } from "@/server/core/time";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { CHECK_RETENTION_DAYS } from "./policy";
import { checkConnectionHealth } from "./service/health";
import { performCleanupItem } from "./service/perform-item";
import { claimDueConnectionChecks, listDueCleanupItems } from "./statements";

const RESUME_BATCH_SIZE = 200;

export async function cleanConnectionJob({ itemId }: { itemId: number }): Promise<void> {
  await performCleanupItem(itemId);
}

/** Queues open items whose process died or whose retry is due. */
export async function resumeCleanupsJob(): Promise<void> {
  const dueItems = await listDueCleanupItems(withoutTransaction(), { limit: RESUME_BATCH_SIZE });
  await inTransaction(async (tx) => {
    for (const { id } of dueItems)
      await addJob(tx, "clean_connection", { itemId: id }, { runAt: fromNow(0), key: `clean:${id}` });
  });
}

const HEALTH_CHECK_BATCH_SIZE = 50;

export async function checkConnectionsJob(): Promise<void> {
  await inTransaction(async (tx) => {
    for (const { id } of await claimDueConnectionChecks(tx, { limit: HEALTH_CHECK_BATCH_SIZE }))
      await addJob(tx, "check_connection", { connectionId: id }, { key: `check:${id}` });
  });
}

export async function checkConnectionJob({ connectionId }: { connectionId: number }): Promise<void> {
  await checkConnectionHealth(connectionId);
}

export async function deleteOldConnectionChecksJob(): Promise<void> {
  await withoutTransaction().db.connectionCheck.deleteMany({
    where: { at: { lt: fromNow(-CHECK_RETENTION_DAYS * DAY) } },
  });
}
