import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  giveUpJob,
  listFailedWork,
  listJobs,
  listSchedule,
  retryFailedWork,
  retryJob,
  runTask,
} from "./contract";
import { jobErrors } from "./errors";
import { giveUp, retry, run } from "./service/act";
import { givenUp, listFailed, retryFailed } from "./service/failed";
import { list, schedule } from "./service/list";

export const jobs = domain({
  operations: {
    list: handle(listJobs, list),
    retry: handle(retryJob, retry),
    giveUp: handle(giveUpJob, giveUp),
    schedule: handle(listSchedule, schedule),
    run: handle(runTask, run),
    listFailed: handle(listFailedWork, listFailed),
    retryFailed: handle(retryFailedWork, retryFailed),
  },
  failed: { jobs: givenUp },
  audit: ["job.retried", "job.given_up", "job.run", "work.retried"],
  errors: jobErrors,
});
