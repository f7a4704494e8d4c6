import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listMails } from "./contract";
import * as service from "./service";

export const mailbox = domain({
  // Sent mails can be read without a mail server; in production there is no such door.
  demoOnly: true,
  operations: {
    list: handle(listMails, service.list),
  },
});
