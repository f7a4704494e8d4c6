import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { checkAuditChain, downloadAudit, getAuditChain, listActivity, listAudit } from "./contract";
import { forgetAuditJob } from "./jobs";
import { activity } from "./service/activity";
import { check, state } from "./service/chain";
import { download } from "./service/download";
import { list } from "./service/list";

export const auditLog = domain({
  operations: {
    listEntries: handle(listAudit, list),
    download: handle(downloadAudit, download),
    chain: handle(getAuditChain, state),
    checkChain: handle(checkAuditChain, check),
    activity: handle(listActivity, activity),
  },
  jobs: { forget_audit: job(forgetAuditJob, { cron: "41 3 * * *", fill: "1d" }) },
  audit: ["access.refused"],
});
