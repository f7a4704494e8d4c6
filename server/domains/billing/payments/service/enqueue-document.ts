import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";

/** Jobs of one queue run one after the other, so invoices occupy at most four slots of a worker. */
const QUEUE_COUNT = 4;

/** Replaces a pending job of the document. */
export async function enqueueDocument(tx: Pick<DbAccess, "sql">, id: number, runAt?: Date): Promise<void> {
  const queue = `accounting:${id % QUEUE_COUNT}`;
  await addJob(tx, "make_document", { documentId: id }, { runAt, queue, key: `document:${id}` });
}
