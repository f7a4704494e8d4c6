import { outside } from "@/server/infrastructure/database/transaction";
import { releaseJobs } from "@/server/infrastructure/jobs/worker";
import { storage } from "@/server/infrastructure/storage/storage";

/** Deletes limit counters whose window has ended. */
export async function forgetCountersJob(): Promise<void> {
  await outside().db.rateLimit.deleteMany({ where: { expire: { lt: Date.now() } } });
}

/** Frees jobs that were taken more than ten minutes ago by a worker that nobody knows. */
export async function releaseJobsJob(): Promise<void> {
  await releaseJobs(10);
}

/** Deletes a stored file whose row is gone, or refers to another one. */
export async function removeFileJob({ key }: { key: string }): Promise<void> {
  await storage().remove(key);
}
