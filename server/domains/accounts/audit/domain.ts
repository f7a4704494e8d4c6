import { handle } from "@/server/core/contract";
import { domain, HealthCheckError, job } from "@/server/core/domain";
import { checkAuditChain, downloadAudit, getAuditChain, listActivity, listAudit } from "./contract";
import { exports } from "./export";
import { auditRetentionJob, checkAuditJob, sealAuditJob } from "./jobs";
import { activity } from "./service/activity";
import { getChainState, queueChainCheck } from "./service/chain";
import { download } from "./service/download";
import { findLastCheck } from "./service/last-check";
import { list } from "./service/list";

export const audit = domain({
  operations: {
    listEntries: handle(listAudit, list),
    download: handle(downloadAudit, download),
    chain: handle(getAuditChain, getChainState),
    checkChain: handle(checkAuditChain, queueChainCheck),
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
    check_audit: job(checkAuditJob, { cron: "17 3 * * *", catchUp: "1d" }),
    forget_audit: job(auditRetentionJob, { cron: "41 3 * * *", catchUp: "1d" }),
  },
  checks: {
    audit: async ({ db }) => {
      const checked = await findLastCheck({ db });
      if (checked?.broken) throw new HealthCheckError("broken");
      return checked ? "whole" : "not checked yet";
    },
  },
  audit: ["audit.checked", "access.refused"],
});
