import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { createdAt, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { MAIL_STATES } from "./policy";

/** Mails that a search counts and shows pages of. */
export const MAILS_MAX = 10_000;

const mail = {
  id: recordId,
  to: z.string().meta({ description: "Address of the recipient.", example: "ayse@example.com" }),
  subject: z.string().nullable().meta({
    description: "Subject; null once the text is erased, after a week.",
    example: "Your password was changed",
  }),
  template: z.string().meta({ description: "Template of the mail.", example: "password_changed" }),
  locale: z.string().meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
  state: z.enum(MAIL_STATES).meta({ description: "State of the mail." }),
  sent_via: z.string().nullable().meta({
    description:
      "Level whose mail account sent it: `parent`, `reseller`, `site` or `system`; null if not sent.",
    example: "system",
  }),
  error: z
    .string()
    .nullable()
    .meta({ description: "Last reply of the mail server, without addresses; null if none.", example: null }),
  created_at: createdAt,
  sent_at: timestamp.nullable().meta({ description: "When the mail was sent; null if not yet." }),
};

export const listMailLog = operation({
  id: "listMailLog",
  method: "GET",
  path: "/api/admin/mails",
  tag: "Logs",
  summary: "List sent mails",
  description: `Mails are kept for the number of days in the platform's settings, 90 by default. \`q\` is the ID of a mail, a whole e-mail address, or a part of a template's name. At most ${MAILS_MAX} mails are counted and shown.`,
  access: "token",
  ability: "admin:*",
  query: listFilter({
    sorts: ["created_at"],
    filters: {
      state: z
        .enum(MAIL_STATES)
        .nullish()
        .meta({ description: "Only mails in this state.", example: "failed" }),
    },
  }).extend(pageQuery.shape),
  output: z.object({
    data: z
      .array(z.object(mail).meta({ id: "LoggedMail", description: "A mail that was sent or is queued." }))
      .meta({ description: "Mails on this page." }),
    meta: PageMeta,
  }),
});

const one = {
  params: z.object({ id: pathId }),
  record: "MailMessage",
};

export const showMail = operation({
  id: "showMail",
  method: "GET",
  path: "/api/admin/mails/{id}",
  tag: "Logs",
  summary: "Get a mail with its delivery attempts",
  description:
    "`preview` is rendered from stored data: links end before the part that gives access to the account, and codes are " +
    "left out.",
  access: "token",
  ability: "admin:*",
  ...one,
  output: z.object({
    success,
    mail: z
      .object({
        ...mail,
        preview: z.string().nullable().meta({
          description: "Text of the mail, with secrets masked; null once it is erased.",
          example: "Hello Ayşe,\n\nYour password was changed.",
        }),
        opens: z.boolean().meta({ description: "True when the mail has a link or code that gives access." }),
        resendable: z.boolean().meta({ description: "True when the mail can be sent again." }),
        tries: z
          .array(
            z.object({
              via: z
                .string()
                .meta({ description: "Level of the mail account that was used.", example: "system" }),
              account_id: recordId.nullable().meta({
                description: "ID of the owner's account for that mail account; null for the system's.",
              }),
              outcome: z
                .string()
                .meta({ description: "`sent`, or the kind of failure.", example: "unreachable" }),
              at: timestamp.meta({ description: "When the attempt was made." }),
            }),
          )
          .meta({ description: "Attempts to send the mail." }),
      })
      .meta({ id: "LoggedMailWithPreview", description: "A mail with its content." }),
  }),
});

export const resendMail = operation({
  id: "resendMail",
  method: "POST",
  path: "/api/admin/mails/{id}/resend",
  tag: "Logs",
  summary: "Send a mail again",
  description:
    "A failed mail is queued again; a sent one is sent as a copy, unless it has a link or a code. 422 while it is queued, " +
    "and once its text is erased.",
  access: "token",
  ability: "admin:*",
  limit: { points: 60, per: 3600, by: "account" },
  ...one,
  errors: ["mail_waits", "mail_erased", "mail_opens"],
  output: z.object({ success, message }),
});
