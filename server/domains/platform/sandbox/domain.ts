import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { clearSandboxScript, listSandboxCalls, scriptSandbox } from "./contract";
import { clear, list, script } from "./service";

export const sandbox = domain({
  // Shows and scripts the stand-ins of outside parties; does not exist in production.
  demoOnly: true,
  operations: {
    list: handle(listSandboxCalls, list),
    script: handle(scriptSandbox, script),
    clear: handle(clearSandboxScript, clear),
  },
});
