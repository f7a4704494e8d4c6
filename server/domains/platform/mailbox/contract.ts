import * as z from "zod";
import { operation } from "@/server/core/contract";
import { email, recordId, timestamp } from "@/server/core/schema";

const Mail = z.object({
  id: recordId,
  /** The address it was sent to. */
  to: z.string().meta({ example: "ayse@example.com" }),
  subject: z.string().meta({ example: "Verify your e-mail address" }),
  template: z.string().meta({ example: "verify_email" }),
  locale: z.string().meta({ example: "en" }),
  state: z.enum(["queued", "sent", "failed"]),
  text: z.string().meta({ example: "Your code is 482913." }),
  html: z.string().meta({ example: "<p>Your code is 482913.</p>" }),
  created_at: timestamp,
});

/** Demo mode only: the mails this installation sent, so that links and codes are at hand without a mail server. */
export const listMails = operation({
  id: "listMails",
  method: "GET",
  path: "/api/dev/mailbox",
  tag: "Demo",
  summary: "List the mails sent by this demo, newest first",
  description: "The latest 50, or the latest 50 to one address. Does not exist in production.",
  access: "public",
  query: z.object({ to: email.nullish() }),
  status: 200,
  output: z.object({ data: z.array(Mail) }),
});
