import { handle } from "@/server/core/contract";
import { getHealth } from "./contract";
import * as health from "./service";

export const healthOperations = {
  check: handle(getHealth, health.check),
};
