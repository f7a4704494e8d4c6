import { domain, Finding, job } from "@/server/core/domain";
import { exports } from "./export";
import { checkAuditJob, sealAuditJob } from "./jobs";
import { lastCheck } from "./service/last-check";

export const audit = domain({
  relations: [
    {
      table: "audit_events",
      column: "actor_id",
      topic: "activity",
      onDeletion: "anonymise",
      export: "activity",
    },
  ],
  exports,
  jobs: {
    seal_audit: job(sealAuditJob, { cron: "* * * * *" }),
    check_audit: job(checkAuditJob, { cron: "17 3 * * *", fill: "1d" }),
  },
  checks: {
    audit: async ({ db }) => {
      const checked = await lastCheck({ db });
      if (checked?.broken) throw new Finding("broken");
      return checked ? "whole" : "not checked yet";
    },
  },
  audit: ["audit.checked"],
});
