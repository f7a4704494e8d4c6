import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getMenuLabels, putMenuLabels } from "./contract";
import { exports } from "./export";
import * as service from "./service";

export const menuLabels = domain({
  operations: {
    get: handle(getMenuLabels, service.get),
    update: handle(putMenuLabels, service.update),
  },
  exports,
  audit: ["profile.menu_labels_changed"],
});
