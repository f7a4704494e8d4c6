import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { activateSite, suspendSite } from "./contract";
import { activate } from "./service/activate";
import { suspend } from "./service/suspend";

export const suspension = domain({
  operations: {
    suspend: handle(suspendSite, suspend),
    activate: handle(activateSite, activate),
  },
  notices: ["site_suspended", "site_activated"],
  audit: ["site.activated"],
});
