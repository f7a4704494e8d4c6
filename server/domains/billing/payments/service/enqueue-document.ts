import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";

/** Number of queues, so that invoices never occupy all slots of a worker. */
const QUEUES = 4;

/** Enqueues the job that processes a document; replaces a pending one. */
export async function enqueueDocument(tx: Pick<DbAccess, "sql">, id: number, runAt?: Date): Promise<void> {
  const queue = `accounting:${id % QUEUES}`;
  await addJob(tx, "make_document", { documentId: id }, { runAt, queue, key: `document:${id}` });
}
