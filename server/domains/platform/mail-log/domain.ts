import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listMailLog, resendMail, showMail } from "./contract";
import { mailLogErrors } from "./errors";
import { list, resend, show } from "./service";

export const mailLog = domain({
  operations: {
    list: handle(listMailLog, list),
    show: handle(showMail, show),
    resend: handle(resendMail, resend),
  },
  audit: ["mail.resent"],
  errors: mailLogErrors,
});
