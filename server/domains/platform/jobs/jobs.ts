import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { unlockAbandonedJobs } from "@/server/infrastructure/jobs/worker";
import { removeStoredFile } from "@/server/infrastructure/storage/removal";
import { HISTORY_RETENTION_DAYS } from "./policy";

export async function deleteJobHistoryJob(): Promise<void> {
  await withoutTransaction().db.jobStat.deleteMany({
    where: { hour: { lt: fromNow(-HISTORY_RETENTION_DAYS * DAY) } },
  });
}

export async function deleteRateLimitCountersJob(): Promise<void> {
  await withoutTransaction().db.rateLimit.deleteMany({ where: { expire: { lt: Date.now() } } });
}

/** Unlocks jobs that an unknown worker locked more than ten minutes ago. */
export async function unlockJobsJob(): Promise<void> {
  await unlockAbandonedJobs(10);
}

/** Deletes a file that no row refers to any more. Waits while a backup is running. */
export async function removeFileJob({ key }: { key: string }): Promise<void> {
  if (!(await removeStoredFile(key)))
    await addJob(withoutTransaction(), "remove_file", { key }, { runAt: fromNow(MINUTE) });
}
