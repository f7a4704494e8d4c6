import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { deletePortal, getPortal, putPortal } from "./contract";
import { exports } from "./export";
import { get, remove, update } from "./service/portal";

export const portals = domain({
  operations: {
    get: handle(getPortal, get),
    update: handle(putPortal, update),
    remove: handle(deletePortal, remove),
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
  audit: ["portal.changed", "portal.removed"],
});
