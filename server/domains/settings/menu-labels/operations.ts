import { handle } from "@/server/core/contract";
import { getMenuLabels, putMenuLabels } from "./contract";
import * as menuLabels from "./service";

export const menuLabelOperations = {
  get: handle(getMenuLabels, menuLabels.read),
  save: handle(putMenuLabels, menuLabels.write),
};
