import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { clearSandboxScript, listMails, listSandboxCalls, scriptSandbox } from "./contract";
import * as mailboxService from "./service/mailbox";
import { clearScriptedFailures, listCallsAndFailures, scriptFailure } from "./service/sandbox";

export const sandbox = domain({
  demoOnly: true,
  operations: {
    list: createHandler(listSandboxCalls, listCallsAndFailures),
    script: createHandler(scriptSandbox, scriptFailure),
    clear: createHandler(clearSandboxScript, clearScriptedFailures),
    listMails: createHandler(listMails, mailboxService.listMailbox),
  },
});
