import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { clearSandboxScript, listMails, listSandboxCalls, scriptSandbox } from "./contract";
import * as service from "./service/mailbox";
import { clear, list, script } from "./service/sandbox";

export const sandbox = domain({
  demoOnly: true,
  operations: {
    list: handle(listSandboxCalls, list),
    script: handle(scriptSandbox, script),
    clear: handle(clearSandboxScript, clear),
    listMails: handle(listMails, service.list),
  },
});
