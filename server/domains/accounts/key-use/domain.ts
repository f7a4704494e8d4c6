import { domain, job } from "@/server/core/domain";
import { exports } from "./export";
import { forgetKeyUseJob } from "./jobs";

/** How keys are used; the rows go with their key. */
export const keyUse = domain({
  jobs: { forget_key_use: job(forgetKeyUseJob, { cron: "41 3 * * *", fill: "1d" }) },
  exports,
});
