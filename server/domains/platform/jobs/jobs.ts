import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { releaseJobs } from "@/server/infrastructure/jobs/worker";
import { removeStored } from "@/server/infrastructure/storage/removal";

/** Days for which it is known how jobs went. */
const KEPT = 30;

/** Deletes what is too old of how jobs went. */
export async function forgetJobHistoryJob(): Promise<void> {
  await outside().db.jobStat.deleteMany({ where: { hour: { lt: fromNow(-KEPT * DAY) } } });
}

/** Deletes limit counters whose window has ended. */
export async function forgetCountersJob(): Promise<void> {
  await outside().db.rateLimit.deleteMany({ where: { expire: { lt: Date.now() } } });
}

/** Frees jobs that were taken more than ten minutes ago by an unknown worker. */
export async function releaseJobsJob(): Promise<void> {
  await releaseJobs(10);
}

/** Deletes a stored file whose row is gone, or refers to another one; after the backup that is being made, if one is. */
export async function removeFileJob({ key }: { key: string }): Promise<void> {
  if (!(await removeStored(key))) await addJob(outside(), "remove_file", { key }, { runAt: fromNow(MINUTE) });
}
