import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getHealth, getLiveness, getReadiness } from "./contract";
import { healthErrors } from "./errors";
import * as service from "./service";

export const health = domain({
  operations: {
    check: handle(getHealth, service.check),
    live: handle(getLiveness, service.live),
    ready: handle(getReadiness, service.ready),
  },
  errors: healthErrors,
});
