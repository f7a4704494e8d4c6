import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { createView, deleteView, getMenuLabels, listViews, putMenuLabels, renameView } from "./contract";
import { archiveReaders } from "./export";
import * as menuLabels from "./service/menu-labels";
import { createSavedView, deleteSavedView, listSavedViews, renameSavedView } from "./service/saved-views";

export const preferences = domain({
  operations: {
    listViews: createHandler(listViews, listSavedViews),
    createView: createHandler(createView, createSavedView),
    renameView: createHandler(renameView, renameSavedView),
    removeView: createHandler(deleteView, deleteSavedView),
    getMenuLabels: createHandler(getMenuLabels, menuLabels.getOwnMenuLabels),
    changeMenuLabels: createHandler(putMenuLabels, menuLabels.putOwnMenuLabels),
  },
  relations: [
    {
      table: "saved_views",
      column: "user_id",
      topic: "details",
      onDeletion: "delete",
      export: "saved_views",
    },
  ],
  exports: archiveReaders,
  audit: ["saved_view.created", "saved_view.renamed", "saved_view.deleted", "profile.menu_labels_changed"],
});
