import { fromNow } from "@/server/core/time";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { checkHealth } from "./service/health";
import { performItem } from "./service/perform";
import { listDue, takeDueChecks } from "./statements";

const AT_ONCE = 200;

export async function cleanConnectionJob({ itemId }: { itemId: number }): Promise<void> {
  await performItem(itemId);
}

/** Queues open items whose process died or whose retry is due. */
export async function resumeCleanupsJob(): Promise<void> {
  const due = await listDue(withoutTransaction(), { limit: AT_ONCE });
  await inTransaction(async (tx) => {
    for (const { id } of due)
      await addJob(tx, "clean_connection", { itemId: id }, { runAt: fromNow(0), key: `clean:${id}` });
  });
}

const LOOKS_AT_ONCE = 50;

export async function checkConnectionsJob(): Promise<void> {
  await inTransaction(async (tx) => {
    for (const { id } of await takeDueChecks(tx, { limit: LOOKS_AT_ONCE }))
      await addJob(tx, "check_connection", { connectionId: id }, { key: `check:${id}` });
  });
}

export async function checkConnectionJob({ connectionId }: { connectionId: number }): Promise<void> {
  await checkHealth(connectionId);
}
