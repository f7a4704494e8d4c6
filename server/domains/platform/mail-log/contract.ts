import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { MAIL_STATES } from "./policy";

/** Mails that a search counts and shows pages of. */
export const MAILS_MAX = 10_000;

const mail = {
  id: recordId,
  to: z.string().meta({ example: "ayse@example.com" }),
  /** Null once the text is erased, after a week. */
  subject: z.string().nullable().meta({ example: "Your password was changed" }),
  template: z.string().meta({ example: "password_changed" }),
  locale: z.string().meta({ example: "en" }),
  state: z.enum(MAIL_STATES),
  /** The level that sent it: `parent`, `reseller`, `site` or `system`. */
  sent_via: z.string().nullable().meta({ example: "system" }),
  /** What the mail server said last, without addresses. */
  error: z.string().nullable().meta({ example: null }),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
};

export const listMailLog = operation({
  id: "listMailLog",
  method: "GET",
  path: "/api/admin/mails",
  tag: "Logs",
  summary: "List the mails that were sent",
  description:
    "They are kept for as many days as the platform's settings say, 90 unless told otherwise. `q` is the number of a mail, a whole e-mail address, or a part of a template's name. At most " +
    `${MAILS_MAX} mails are counted and shown.`,
  access: "token",
  ability: "admin:*",
  query: listFilter({
    sorts: ["created_at"],
    filters: { state: z.enum(MAIL_STATES).meta({ example: "failed" }).nullish() },
  }).extend(pageQuery.shape),
  status: 200,
  output: z.object({ data: z.array(z.object(mail).meta({ id: "LoggedMail" })), meta: PageMeta }),
});

const one = {
  params: z.object({ id: pathId }),
  record: "MailMessage",
  errors: ["record_not_found"] as const,
};

export const showMail = operation({
  id: "showMail",
  method: "GET",
  path: "/api/admin/mails/{id}",
  tag: "Logs",
  summary: "Show a mail and how it was sent",
  description:
    "`preview` is written anew from what is stored: links end where they would lead into the account, and codes are left out.",
  access: "token",
  ability: "admin:*",
  ...one,
  status: 200,
  output: z.object({
    success,
    mail: z
      .object({
        ...mail,
        preview: z.string().nullable().meta({ example: "Hello Ayşe,\n\nYour password was changed." }),
        /** Whether it has a link or a code that opens something. */
        opens: z.boolean(),
        /** Whether it can be sent again. */
        resendable: z.boolean(),
        tries: z.array(
          z.object({
            via: z.string().meta({ example: "system" }),
            account_id: recordId.nullable(),
            /** `sent`, or the class of the failure. */
            outcome: z.string().meta({ example: "unreachable" }),
            at: timestamp,
          }),
        ),
      })
      .meta({ id: "LoggedMailWithPreview" }),
  }),
});

export const resendMail = operation({
  id: "resendMail",
  method: "POST",
  path: "/api/admin/mails/{id}/resend",
  tag: "Logs",
  summary: "Send a mail again",
  description:
    "One that failed is queued again; of one that was sent a copy is, unless it has a link or a code: who needs that asks for a " +
    "new one. 422 while it waits, and once its text is erased.",
  access: "token",
  ability: "admin:*",
  limit: { points: 60, per: 3600, by: "account" },
  ...one,
  errors: ["record_not_found", "mail_waits", "mail_erased", "mail_opens"],
  status: 200,
  output: z.object({ success, message }),
});
