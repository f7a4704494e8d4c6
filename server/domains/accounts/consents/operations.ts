import { handle } from "@/server/core/contract";
import { changeConsents, getConsents } from "./contract";
import { change, state } from "./service/settings";

export const consentOperations = {
  state: handle(getConsents, state),
  give: handle(changeConsents, change),
};
