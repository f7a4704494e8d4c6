import * as z from "zod";
import { operation } from "@/server/core/contract";
import { createdAt, email, recordId } from "@/server/core/schema";

const Mail = z.object({
  id: recordId,
  to: z.string().meta({ description: "Address of the recipient.", example: "ayse@example.com" }),
  subject: z.string().meta({ description: "Subject of the mail.", example: "Verify your e-mail address" }),
  template: z.string().meta({ description: "Template of the mail.", example: "verify_email" }),
  locale: z.string().meta({ description: "Language code: tr, en, ru, de, ar, fr or it.", example: "en" }),
  state: z.enum(["queued", "sent", "failed"]).meta({ description: "State of the mail." }),
  text: z.string().meta({ description: "Body as text.", example: "Your code is 482913." }),
  html: z.string().meta({ description: "Body as HTML.", example: "<p>Your code is 482913.</p>" }),
  created_at: createdAt,
});

/** Demo mode only: the mails this installation sent, so that links and codes are at hand without a mail server. */
export const listMails = operation({
  id: "listMails",
  method: "GET",
  path: "/api/dev/mailbox",
  tag: "Demo",
  summary: "List the mails sent by this demo",
  description: "The latest 50, or the latest 50 to one address, newest first. Does not exist in production.",
  access: "public",
  query: z.object({ to: email.nullish().meta({ description: "Only mails to this address." }) }),
  status: 200,
  output: z.object({ data: z.array(Mail).meta({ description: "Latest mails, newest first." }) }),
});
