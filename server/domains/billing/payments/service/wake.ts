import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";

/** Queues of jobs, so that invoices never take all hands of a worker. */
const LANES = 4;

/** Lets a job go on with a document, now or later. A second job of the same document replaces the first. */
export async function wake(work: Pick<Work, "sql">, id: number, runAt?: Date): Promise<void> {
  const queue = `accounting:${id % LANES}`;
  await addJob(work, "make_document", { documentId: id }, { runAt, queue, key: `document:${id}` });
}
