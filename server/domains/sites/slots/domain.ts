import { domain, job } from "@/server/core/domain";
import { archiveReaders } from "./export";
import { advanceLicencesJob } from "./jobs";

export const slots = domain({
  jobs: {
    advance_licences: job(advanceLicencesJob, { cron: "*/15 * * * *", catchUp: "1h" }),
  },
  relations: [
    { table: "site_licences", column: "user_id", topic: "billing", onDeletion: "keep", export: "licences" },
    { table: "site_licences", column: "site_id", rowsBelongTo: "site", export: "licences" },
  ],
  exports: archiveReaders,
  notices: ["licence_due", "licence_ends", "licence_suspended", "site_unpaid"],
  audit: [
    "site.suspended",
    "site.restored",
    "licence.absorbed",
    "licence.reopened",
    "licence.renewal_opened",
    "licence.expired",
    "licence.abandoned",
  ],
});
