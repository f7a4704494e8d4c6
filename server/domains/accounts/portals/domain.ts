import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { askPortalDomain, checkPortal, deletePortal, getPortal, putPortal } from "./contract";
import { archiveReaders } from "./export";
import { checkPortalJob, checkPortalsJob } from "./jobs";
import { checkOwnPortal, requireCertifiableDomain } from "./service/check";
import { deleteOwnPortal, getOwnPortal, putOwnPortal } from "./service/portal";

export const portals = domain({
  operations: {
    get: createHandler(getPortal, getOwnPortal),
    update: createHandler(putPortal, putOwnPortal),
    remove: createHandler(deletePortal, deleteOwnPortal),
    check: createHandler(checkPortal, checkOwnPortal),
    ask: createHandler(askPortalDomain, requireCertifiableDomain),
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
  exports: archiveReaders,
  notices: ["portal_failing"],
  audit: ["portal.changed", "portal.removed", "portal.verified", "portal.failing"],
});
