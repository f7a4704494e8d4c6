import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { explainAddress, explainGates } from "./contract";
import { explain, explainOf } from "./service";

export const gates = domain({
  operations: {
    explain: handle(explainGates, explain),
    explainAddress: handle(explainAddress, explainOf),
  },
});
