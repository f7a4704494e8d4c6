import { handle } from "@/server/core/contract";
import { domain, Finding, job } from "@/server/core/domain";
import { checkAuditChain, downloadAudit, getAuditChain, listActivity, listAudit } from "./contract";
import { exports } from "./export";
import { checkAuditJob, forgetAuditJob, sealAuditJob } from "./jobs";
import { activity } from "./service/activity";
import { check, state } from "./service/chain";
import { download } from "./service/download";
import { lastCheck } from "./service/last-check";
import { list } from "./service/list";

export const audit = domain({
  operations: {
    listEntries: handle(listAudit, list),
    download: handle(downloadAudit, download),
    chain: handle(getAuditChain, state),
    checkChain: handle(checkAuditChain, check),
    activity: handle(listActivity, activity),
  },
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
    forget_audit: job(forgetAuditJob, { cron: "41 3 * * *", fill: "1d" }),
  },
  checks: {
    audit: async ({ db }) => {
      const checked = await lastCheck({ db });
      if (checked?.broken) throw new Finding("broken");
      return checked ? "whole" : "not checked yet";
    },
  },
  audit: ["audit.checked", "access.refused"],
});
