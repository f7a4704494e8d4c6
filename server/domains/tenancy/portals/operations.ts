import { handle } from "@/server/core/contract";
import { deletePortal, getPortal, putPortal } from "./contract";
import { read, remove, write } from "./service/portal";

export const portalOperations = {
  read: handle(getPortal, read),
  write: handle(putPortal, write),
  remove: handle(deletePortal, remove),
};
