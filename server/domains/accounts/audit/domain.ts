import { handle } from "@/server/core/contract";
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
    listEntries: handle(listAudit, listEntries),
    download: handle(downloadAudit, downloadEntries),
    chain: handle(getAuditChain, getChainState),
    checkChain: handle(checkAuditChain, queueChainCheck),
    activity: handle(listActivity, listOwnActivity),
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
      const checked = await findLastCheck({ db });
      if (checked?.broken) throw new HealthCheckError("broken");
      return checked ? "whole" : "not checked yet";
    },
  },
  audit: ["audit.checked", "access.refused"],
});
