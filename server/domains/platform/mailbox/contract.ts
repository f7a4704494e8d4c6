import * as z from "zod";
import { operation } from "@/server/core/contract";
import { email, timestamp } from "@/server/core/schema";

const Mail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  template: z.string(),
  locale: z.string(),
  state: z.enum(["queued", "sent", "failed"]),
  text: z.string(),
  html: z.string(),
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
