import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { askPortalDomain, checkPortal, deletePortal, getPortal, putPortal } from "./contract";
import { exports } from "./export";
import { checkPortalJob, checkPortalsJob } from "./jobs";
import { check, requireCertifiable } from "./service/check";
import { get, remove, update } from "./service/portal";

export const portals = domain({
  operations: {
    get: handle(getPortal, get),
    update: handle(putPortal, update),
    remove: handle(deletePortal, remove),
    check: handle(checkPortal, check),
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
