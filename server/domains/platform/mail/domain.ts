import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { deliverMail } from "@/server/infrastructure/mail/deliver";
import { MAIL_PURPOSE } from "@/server/infrastructure/mail/outbox";
import { deliverSms } from "@/server/infrastructure/sms/deliver";
import { SMS_PURPOSE } from "@/server/infrastructure/sms/outbox";
import { listMailLog, resendMail, showMail } from "./contract";
import { exports } from "./export";
import { forgetMailsJob, forgetMessagesJob } from "./jobs";
import { failedMails, failedMessages } from "./service/failed";
import { list, resend, show } from "./service/log";

export const mail = domain({
  operations: {
    list: handle(listMailLog, list),
    show: handle(showMail, show),
    resend: handle(resendMail, resend),
  },
  jobs: {
    deliver_mail: job(deliverMail),
    deliver_sms: job(deliverSms),
    forget_mails: job(forgetMailsJob, { cron: "25 * * * *", fill: "1d" }),
    forget_messages: job(forgetMessagesJob, { cron: "38 * * * *", fill: "1d" }),
  },
  failed: { mails: failedMails, text_messages: failedMessages },
  sealed: [
    { table: "mail_messages", column: "sealed", purpose: MAIL_PURPOSE },
    { table: "sms_messages", column: "sealed", purpose: SMS_PURPOSE },
  ],
  relations: [
    { table: "mail_messages", column: "user_id", topic: "messages", onDeletion: "delete", export: "mails" },
    {
      table: "sms_messages",
      column: "user_id",
      topic: "messages",
      onDeletion: "delete",
      export: "text_messages",
    },
  ],
  exports,
  audit: ["mail.resent"],
});
