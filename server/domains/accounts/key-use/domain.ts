import { domain, job } from "@/server/core/domain";
import { archiveReaders } from "./export";
import { deleteOldKeyUseJob } from "./jobs";

export const keyUse = domain({
  jobs: { forget_key_use: job(deleteOldKeyUseJob, { cron: "41 3 * * *", catchUp: "1d" }) },
  exports: archiveReaders,
});
