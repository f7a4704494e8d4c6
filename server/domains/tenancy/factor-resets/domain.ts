import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  approveFactorReset,
  cancelFactorReset,
  listFactorResets,
  resetTwoFactor,
  stopFactorReset,
} from "./contract";
import { exports } from "./export";
import { runAdminActionsJob } from "./jobs";
import { approveReset, cancelReset, stopReset } from "./service/decide";
import { listResets } from "./service/list";
import { requestReset } from "./service/request";

const NOT_EXPORTED = { omittedBecause: "numbers of the administrators who acted" };

export const factorResets = domain({
  operations: {
    list: handle(listFactorResets, listResets),
    request: handle(resetTwoFactor, requestReset),
    approve: handle(approveFactorReset, approveReset),
    cancel: handle(cancelFactorReset, cancelReset),
    stop: handle(stopFactorReset, stopReset),
  },
  jobs: { run_admin_actions: job(runAdminActionsJob, { cron: "*/5 * * * *", catchUp: "1h" }) },
  relations: [
    {
      table: "admin_actions",
      column: "target_id",
      topic: "activity",
      onDeletion: "delete",
      export: "factor_resets",
    },
    { table: "admin_actions", column: "requested_by_id", of: "others", export: NOT_EXPORTED },
    { table: "admin_actions", column: "approved_by_id", of: "others", export: NOT_EXPORTED },
  ],
  exports,
  notices: ["factor_reset_asked", "factor_reset_done", "factor_reset_cancelled"],
  audit: ["factor_reset.asked", "factor_reset.approved", "factor_reset.cancelled", "factor_reset.done"],
  tokens: { dsa: "link that stops the reset of a second factor" },
});
