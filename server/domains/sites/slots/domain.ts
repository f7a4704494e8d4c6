import { domain, job } from "@/server/core/domain";
import { exports } from "./export";
import { suspendUnpaidLicencesJob } from "./jobs";

export const slots = domain({
  jobs: {
    suspend_unpaid_licences: job(suspendUnpaidLicencesJob, { cron: "*/15 * * * *", fill: "1h" }),
  },
  relations: [
    { table: "site_licences", column: "user_id", topic: "billing", onDeletion: "keep", export: "licences" },
    { table: "site_licences", column: "site_id", of: "site", export: "licences" },
  ],
  exports,
  audit: ["site.suspended", "site.restored", "licence.absorbed"],
});
