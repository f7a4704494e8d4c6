import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { deliverMail } from "@/server/infrastructure/mail/deliver";
import { MAIL_SEAL_PURPOSE } from "@/server/infrastructure/mail/outbox";
import { deliverSms } from "@/server/infrastructure/sms/deliver";
import { SMS_SEAL_PURPOSE } from "@/server/infrastructure/sms/outbox";
import { getMailSeries, listMailLog, resendMail, showMail } from "./contract";
import { archiveReaders } from "./export";
import { deleteUnownedMailsJob, eraseMessagesJob } from "./jobs";
import { failedMails, failedTextMessages } from "./service/failed";
import { getLoggedMail, listMailPage, resendLoggedMail } from "./service/log";
import { countMailsOverTime } from "./service/series";

export const mail = domain({
  operations: {
    list: createHandler(listMailLog, listMailPage),
    series: createHandler(getMailSeries, countMailsOverTime),
    show: createHandler(showMail, getLoggedMail),
    resend: createHandler(resendMail, resendLoggedMail),
  },
  jobs: {
    deliver_mail: job(deliverMail),
    deliver_sms: job(deliverSms),
    forget_mails: job(deleteUnownedMailsJob, { cron: "25 * * * *", catchUp: "1d" }),
    forget_messages: job(eraseMessagesJob, { cron: "38 * * * *", catchUp: "1d" }),
  },
  failedWork: { mails: failedMails, text_messages: failedTextMessages },
  sealedColumns: [
    { table: "mail_messages", column: "sealed", purpose: MAIL_SEAL_PURPOSE },
    { table: "sms_messages", column: "sealed", purpose: SMS_SEAL_PURPOSE },
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
  exports: archiveReaders,
  audit: ["mail.resent"],
});
