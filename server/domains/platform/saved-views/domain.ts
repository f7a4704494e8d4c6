import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { createView, deleteView, listViews, renameView } from "./contract";
import { savedViewErrors } from "./errors";
import { exports } from "./export";
import { create, list, remove, rename } from "./service";

export const savedViews = domain({
  operations: {
    list: handle(listViews, list),
    create: handle(createView, create),
    rename: handle(renameView, rename),
    remove: handle(deleteView, remove),
  },
  relations: [
    {
      table: "saved_views",
      column: "user_id",
      topic: "profile",
      onDeletion: "delete",
      export: "saved_views",
    },
  ],
  exports,
  audit: ["saved_view.created", "saved_view.renamed", "saved_view.deleted"],
  errors: savedViewErrors,
});
