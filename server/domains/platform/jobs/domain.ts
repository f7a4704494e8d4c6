import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  getJobHistory,
  getJobSeries,
  giveUpJob,
  listFailedWork,
  listJobs,
  listSchedule,
  retryFailedWork,
  retryJob,
  runTask,
} from "./contract";
import { deleteJobHistoryJob, deleteRateLimitCountersJob, removeFileJob, unlockJobsJob } from "./jobs";
import { giveUpFailedJob, retryFailedJob, runRecurringTask } from "./service/actions";
import { failedJobs, listAllFailedWork, retryFailedWorkOfKind } from "./service/failed";
import { summarizeJobHistory } from "./service/history";
import { listQueuedJobs, listRecurringSchedule } from "./service/list";
import { summarizeJobsOverTime } from "./service/series";

export const jobs = domain({
  operations: {
    list: createHandler(listJobs, listQueuedJobs),
    retry: createHandler(retryJob, retryFailedJob),
    giveUp: createHandler(giveUpJob, giveUpFailedJob),
    schedule: createHandler(listSchedule, listRecurringSchedule),
    run: createHandler(runTask, runRecurringTask),
    history: createHandler(getJobHistory, summarizeJobHistory),
    series: createHandler(getJobSeries, summarizeJobsOverTime),
    listFailed: createHandler(listFailedWork, listAllFailedWork),
    retryFailed: createHandler(retryFailedWork, retryFailedWorkOfKind),
  },
  jobs: {
    forget_job_history: job(deleteJobHistoryJob, { cron: "52 3 * * *", catchUp: "1d" }),
    remove_file: job(removeFileJob),
    forget_counters: job(deleteRateLimitCountersJob, { cron: "26 * * * *", catchUp: "1d" }),
    release_jobs: job(unlockJobsJob, { cron: "*/5 * * * *" }),
  },
  failedWork: { jobs: failedJobs },
  audit: ["job.retried", "job.given_up", "job.run", "work.retried"],
});
