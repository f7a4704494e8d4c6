import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listMails } from "./contract";
import * as service from "./service";

export const mailbox = domain({
  // Shows sent mails without a mail server; does not exist in production.
  demoOnly: true,
  operations: {
    list: handle(listMails, service.list),
  },
});
