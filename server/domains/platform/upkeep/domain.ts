import { domain, job } from "@/server/core/domain";
import { forgetCountersJob, releaseJobsJob, removeFileJob } from "./jobs";

export const upkeep = domain({
  jobs: {
    remove_file: job(removeFileJob),
    forget_counters: job(forgetCountersJob, { cron: "26 * * * *", fill: "1d" }),
    release_jobs: job(releaseJobsJob, { cron: "*/5 * * * *" }),
  },
});
