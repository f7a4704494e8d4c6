import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { endView, getSupportAccess, getView, putSupportAccess, startView } from "./contract";
import { archiveReaders } from "./export";
import { permissionAdditions } from "./service/additions";
import * as permission from "./service/permission";
import * as view from "./service/view";

export const viewAs = domain({
  operations: {
    get: createHandler(getView, view.getCurrentView),
    start: createHandler(startView, view.startViewAs),
    end: createHandler(endView, view.endCurrentView),
    getAccess: createHandler(getSupportAccess, permission.readSupportAccess),
    putAccess: createHandler(putSupportAccess, permission.changeSupportAccess),
  },
  additions: { support_access: permissionAdditions },
  relations: [
    {
      table: "support_access",
      column: "user_id",
      topic: "support",
      onDeletion: "delete",
      export: "support_access",
    },
    {
      table: "view_as",
      column: "target_id",
      topic: "support",
      onDeletion: "delete",
      export: "support_access",
    },
    {
      table: "view_as",
      column: "actor_id",
      topic: "activity",
      onDeletion: "anonymise",
      export: "support_access",
    },
  ],
  exports: archiveReaders,
  notices: ["viewed_as"],
  audit: ["view_as.started", "view_as.ended", "support_access.granted", "support_access.revoked"],
});
