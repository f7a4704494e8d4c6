import { handle } from "@/server/core/contract";
import { getConsents, giveConsents } from "./contract";
import { give, state } from "./service";

export const consentOperations = {
  state: handle(getConsents, state),
  give: handle(giveConsents, give),
};
