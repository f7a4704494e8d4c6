import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { byId, createdAt, recordId, timestamp } from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { MAIL_STATES } from "./policy";

export const MAILS_MAX = 10_000;

const MAIL_FIELDS = {
  id: recordId,
  to: f.text("Address of the recipient.", "ayse@example.com"),
  subject: f.nullable(
    z.string(),
    "Subject; null once the text is erased, after a week.",
    "Your password was changed",
  ),
  template: f.text("Template of the email.", "password_changed"),
  locale: f.text("Language code: tr, en, ru, de, ar, fr or it.", "en"),
  state: f.oneOf(MAIL_STATES, "State of the email; `failed` is not retried.", "sent"),
  sent_via: f.nullable(
    z.string(),
    "Owner of the email account that sent it: `parent`, `reseller`, `site` or `system`; null if not sent.",
    "system",
  ),
  error: f.nullable(z.string(), "Last reply of the email server, without addresses; null if none.", null),
  created_at: createdAt,
  sent_at: f.nullable(timestamp, "When the email was sent; null if not yet."),
};

const LOGS_ACCESS = { tag: "Logs", access: "token", ability: "admin:*" } as const;

export const listMailLog = operation({
  id: "listMailLog",
  method: "GET",
  path: "/api/admin/mails",
  ...LOGS_ACCESS,
  summary: "List emails",
  description: `Mails are kept for the number of days in the platform's settings, 90 by default. \`q\` is the ID of an email, a whole email address, or a part of a template's name. At most ${MAILS_MAX} emails are counted and shown.`,
  query: listFilter({
    sorts: ["created_at"],
    filters: {
      state: f.nullish(z.enum(MAIL_STATES), "Only emails in this state.", "failed"),
    },
  }).extend(pageQuery.shape),
  output: z.object({
    data: f.list(
      f.namedObject("LoggedMail", "An email that was sent or is queued.", MAIL_FIELDS),
      "Mails on this page.",
    ),
    meta: PageMeta,
  }),
});

const BY_MAIL_ID = {
  ...byId("MailMessage"),
};

export const showMail = operation({
  id: "showMail",
  method: "GET",
  path: "/api/admin/mails/{id}",
  ...LOGS_ACCESS,
  summary: "Get an email with its delivery attempts",
  description:
    "`preview` masks secrets that give access to an account: links end before their token, and codes are left out.",
  ...BY_MAIL_ID,
  output: f.success({
    mail: f.namedObject("LoggedMailWithPreview", "An email with its content.", {
      ...MAIL_FIELDS,
      preview: f.nullable(
        z.string(),
        "Text of the email, with secrets masked; null once the text is erased.",
        "Hello Ayşe,\n\nYour password was changed.",
      ),
      opens: f.boolean("True when the email has a link or code that gives access.", false),
      resendable: f.boolean("True when the email can be sent again."),
      tries: f.list(
        z.object({
          via: f.text("Owner of the email account: `parent`, `reseller`, `site` or `system`.", "system"),
          account_id: f.nullable(recordId, "ID of the email account; null for the system's.", null),
          outcome: f.text("`sent`, or the kind of failure, such as `unreachable`.", "sent"),
          at: timestamp.meta({ description: "When the attempt was made." }),
        }),
        "Attempts to send the email.",
      ),
    }),
  }),
});

export const resendMail = operation({
  id: "resendMail",
  method: "POST",
  path: "/api/admin/mails/{id}/resend",
  ...LOGS_ACCESS,
  summary: "Send a mail again",
  description:
    "Queues a failed email again, or sends a copy of a sent email. Returns 422 while the email is queued (`mail_waits`), once " +
    "its text is erased (`mail_erased`), and for a sent email with a link or code that gives access (`mail_opens`).",
  limit: { points: 60, per: 3600, by: "account" },
  ...BY_MAIL_ID,
  errors: ["mail_waits", "mail_erased", "mail_opens"],
  output: f.changeOutput(),
});

export const MAIL_PERIODS = ["7d", "24h", "30d", "90d", "12m"] as const;

export const getMailSeries = operation({
  id: "getMailSeries",
  method: "GET",
  path: "/api/admin/mails/series",
  ...LOGS_ACCESS,
  summary: "Get mails over time",
  description:
    "Counts mails by the time they were queued and by their state now. Mails are kept for the number of days in the " +
    "platform's settings, 90 by default.",
  query: seriesQuery({ periods: MAIL_PERIODS }),
  output: f.success({
    data: series("MailSeries", "Mails over time.", {
      sent: "emails that an email server accepted.",
      queued: "emails that are not sent yet.",
      failed: "emails that are not retried.",
    }),
  }),
});
