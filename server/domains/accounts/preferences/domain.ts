import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { createView, deleteView, getMenuLabels, listViews, putMenuLabels, renameView } from "./contract";
import { exports } from "./export";
import * as service from "./service/menu-labels";
import { create, list, remove, rename } from "./service/saved-views";

export const preferences = domain({
  operations: {
    listViews: handle(listViews, list),
    createView: handle(createView, create),
    renameView: handle(renameView, rename),
    removeView: handle(deleteView, remove),
    getMenuLabels: handle(getMenuLabels, service.get),
    changeMenuLabels: handle(putMenuLabels, service.update),
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
  audit: ["saved_view.created", "saved_view.renamed", "saved_view.deleted", "profile.menu_labels_changed"],
});
