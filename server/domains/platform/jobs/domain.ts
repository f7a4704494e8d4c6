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
import { giveUp, retry, run } from "./service/act";
import { givenUp, listFailed, retryFailed } from "./service/failed";
import { history } from "./service/history";
import { list, schedule } from "./service/list";

export const jobs = domain({
  operations: {
    list: handle(listJobs, list),
    retry: handle(retryJob, retry),
    giveUp: handle(giveUpJob, giveUp),
    schedule: handle(listSchedule, schedule),
    run: handle(runTask, run),
    history: handle(getJobHistory, history),
    listFailed: handle(listFailedWork, listFailed),
    retryFailed: handle(retryFailedWork, retryFailed),
  },
  jobs: {
    forget_job_history: job(deleteJobHistoryJob, { cron: "52 3 * * *", catchUp: "1d" }),
    remove_file: job(removeFileJob),
    forget_counters: job(deleteCountersJob, { cron: "26 * * * *", catchUp: "1d" }),
    release_jobs: job(unlockJobsJob, { cron: "*/5 * * * *" }),
  },
  failed: { jobs: givenUp },
  audit: ["job.retried", "job.given_up", "job.run", "work.retried"],
});
