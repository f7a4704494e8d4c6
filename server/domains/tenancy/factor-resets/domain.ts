import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  approveFactorReset,
  cancelFactorReset,
  listFactorResets,
  resetTwoFactor,
  stopFactorReset,
} from "./contract";
import { archiveReaders } from "./export";
import { runAdminActionsJob } from "./jobs";
import { approveReset, cancelReset, stopResetByLink } from "./service/decide";
import { listResets } from "./service/list";
import { requestFactorReset } from "./service/request";

const NOT_EXPORTED = { omittedBecause: "IDs of the administrators who requested or approved" };

export const factorResets = domain({
  operations: {
    list: createHandler(listFactorResets, listResets),
    request: createHandler(resetTwoFactor, requestFactorReset),
    approve: createHandler(approveFactorReset, approveReset),
    cancel: createHandler(cancelFactorReset, cancelReset),
    stop: createHandler(stopFactorReset, stopResetByLink),
  },
  jobs: { run_admin_actions: job(runAdminActionsJob, { cron: "*/5 * * * *", catchUp: "1h" }) },
  // The only kind of administrator action is the reset of second factors.
  relations: [
    {
      table: "admin_actions",
      column: "target_id",
      topic: "support",
      onDeletion: "delete",
      export: "factor_resets",
    },
    { table: "admin_actions", column: "requested_by_id", rowsBelongTo: "others", export: NOT_EXPORTED },
    { table: "admin_actions", column: "approved_by_id", rowsBelongTo: "others", export: NOT_EXPORTED },
  ],
  exports: archiveReaders,
  notices: ["factor_reset_asked", "factor_reset_done", "factor_reset_cancelled"],
  audit: ["factor_reset.asked", "factor_reset.approved", "factor_reset.cancelled", "factor_reset.done"],
  tokens: { dsa: "link that stops the reset of a second factor" },
});
