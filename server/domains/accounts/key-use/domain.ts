import { domain, job } from "@/server/core/domain";
import { archiveReaders } from "./export";
import { deleteOldKeyUseJob } from "./jobs";

/** Usage figures of keys. Rows are deleted with their key (`on delete cascade`). */
export const keyUse = domain({
  jobs: { forget_key_use: job(deleteOldKeyUseJob, { cron: "41 3 * * *", catchUp: "1d" }) },
  exports: archiveReaders,
});
