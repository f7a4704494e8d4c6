import { createHandler } from "@/server/core/contract";
import { domain, HealthCheckError, job } from "@/server/core/domain";
import { checkAuditChain, downloadAudit, getAuditChain, listActivity, listAudit } from "./contract";
import { archiveReaders } from "./export";
import { checkAuditJob, deleteExpiredAuditJob, sealAuditJob } from "./jobs";
import { listOwnActivity } from "./service/activity";
import { getChainState, queueChainCheck } from "./service/chain";
import { downloadEntries } from "./service/download";
import { findLastCheck } from "./service/last-check";
import { listEntries } from "./service/list";

export const audit = domain({
  operations: {
    listEntries: createHandler(listAudit, listEntries),
    download: createHandler(downloadAudit, downloadEntries),
    chain: createHandler(getAuditChain, getChainState),
    checkChain: createHandler(checkAuditChain, queueChainCheck),
    activity: createHandler(listActivity, listOwnActivity),
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
  exports: archiveReaders,
  jobs: {
    seal_audit: job(sealAuditJob, { cron: "* * * * *" }),
    check_audit: job(checkAuditJob, { cron: "17 3 * * *", catchUp: "1d" }),
    forget_audit: job(deleteExpiredAuditJob, { cron: "41 3 * * *", catchUp: "1d" }),
  },
  checks: {
    audit: async ({ db }) => {
      const lastCheck = await findLastCheck({ db });
      if (lastCheck?.broken) throw new HealthCheckError("broken");
      return lastCheck ? "whole" : "not checked yet";
    },
  },
  audit: ["audit.checked", "access.refused"],
});
