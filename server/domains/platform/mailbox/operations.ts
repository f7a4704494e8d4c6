import { handle } from "@/server/core/contract";
import { listMails } from "./contract";
import * as mailbox from "./service";

/** Only bound outside production; see `server/operations.ts`. */
export const mailboxOperations = {
  list: handle(listMails, mailbox.list),
};
