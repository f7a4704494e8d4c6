import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  getJobHistory,
  giveUpJob,
  listFailedWork,
  listJobs,
  listSchedule,
  retryFailedWork,
  retryJob,
  runTask,
} from "./contract";
import { deleteCountersJob, deleteJobHistoryJob, removeFileJob, unlockJobsJob } from "./jobs";
import { giveUpFailedJob, retryFailedJob, runTaskNow } from "./service/actions";
import { failedJobs, listAllFailedWork, retryWorkOfKind } from "./service/failed";
import { summarizeHistory } from "./service/history";
import { getSchedule, listQueuedJobs } from "./service/list";

export const jobs = domain({
  operations: {
    list: handle(listJobs, listQueuedJobs),
    retry: handle(retryJob, retryFailedJob),
    giveUp: handle(giveUpJob, giveUpFailedJob),
    schedule: handle(listSchedule, getSchedule),
    run: handle(runTask, runTaskNow),
    history: handle(getJobHistory, summarizeHistory),
    listFailed: handle(listFailedWork, listAllFailedWork),
    retryFailed: handle(retryFailedWork, retryWorkOfKind),
  },
  jobs: {
    forget_job_history: job(deleteJobHistoryJob, { cron: "52 3 * * *", catchUp: "1d" }),
    remove_file: job(removeFileJob),
    forget_counters: job(deleteCountersJob, { cron: "26 * * * *", catchUp: "1d" }),
    release_jobs: job(unlockJobsJob, { cron: "*/5 * * * *" }),
  },
  failedWork: { jobs: failedJobs },
  audit: ["job.retried", "job.given_up", "job.run", "work.retried"],
});
