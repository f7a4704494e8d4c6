import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { askPortalDomain, checkPortal, deletePortal, getPortal, putPortal } from "./contract";
import { exports } from "./export";
import { checkPortalJob, checkPortalsJob } from "./jobs";
import { checkOwnPortal, requireCertifiable } from "./service/check";
import { getOwnPortal, removeOwnPortal, savePortal } from "./service/portal";

export const portals = domain({
  operations: {
    get: handle(getPortal, getOwnPortal),
    update: handle(putPortal, savePortal),
    remove: handle(deletePortal, removeOwnPortal),
    check: handle(checkPortal, checkOwnPortal),
    ask: handle(askPortalDomain, requireCertifiable),
  },
  jobs: {
    check_portals: job(checkPortalsJob, { cron: "*/10 * * * *" }),
    check_portal: job(checkPortalJob),
  },
  relations: [
    {
      table: "reseller_portals",
      column: "reseller_id",
      topic: "branding",
      onDeletion: "delete",
      export: "reseller",
    },
    { table: "resellers", column: "user_id", topic: "billing", onDeletion: "keep", export: "reseller" },
  ],
  exports,
  notices: ["portal_failing"],
  audit: ["portal.changed", "portal.removed", "portal.verified", "portal.failing"],
});
