import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { completeSetup, getSetup } from "./contract";
import { setupErrors } from "./errors";
import { complete, get } from "./service/complete";

export const setup = domain({
  operations: {
    get: handle(getSetup, get),
    complete: handle(completeSetup, complete),
  },
  audit: ["admin.granted_by_setup"],
  errors: setupErrors,
  tokens: { dsf: "set-up by the first administrator" },
});
