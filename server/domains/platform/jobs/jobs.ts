import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { releaseJobs } from "@/server/infrastructure/jobs/worker";
import { removeStored } from "@/server/infrastructure/storage/removal";

const HISTORY_DAYS = 30;

export async function forgetJobHistoryJob(): Promise<void> {
  await outside().db.jobStat.deleteMany({ where: { hour: { lt: fromNow(-HISTORY_DAYS * DAY) } } });
}

export async function forgetCountersJob(): Promise<void> {
  await outside().db.rateLimit.deleteMany({ where: { expire: { lt: Date.now() } } });
}

/** Unlocks jobs that an unknown worker locked more than ten minutes ago. */
export async function releaseJobsJob(): Promise<void> {
  await releaseJobs(10);
}

/** Deletes a file that no row refers to any more. Waits while a backup is running. */
export async function removeFileJob({ key }: { key: string }): Promise<void> {
  if (!(await removeStored(key))) await addJob(outside(), "remove_file", { key }, { runAt: fromNow(MINUTE) });
}
