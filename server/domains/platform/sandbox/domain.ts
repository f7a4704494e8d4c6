import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { clearSandboxScript, listMails, listSandboxCalls, scriptSandbox } from "./contract";
import * as mailboxService from "./service/mailbox";
import { clearScriptedFailures, listCallsAndFailures, scriptFailure } from "./service/sandbox";

export const sandbox = domain({
  demoOnly: true,
  operations: {
    list: handle(listSandboxCalls, listCallsAndFailures),
    script: handle(scriptSandbox, scriptFailure),
    clear: handle(clearSandboxScript, clearScriptedFailures),
    listMails: handle(listMails, mailboxService.listMailbox),
  },
});
