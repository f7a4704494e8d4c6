import * as z from "zod";
import { operation } from "@/server/core/contract";
import { createdAt, email, line, recordId, success, timestamp } from "@/server/core/schema";
import { FAILURES, PARTY_NAMES } from "./policy";

const party = z.enum(PARTY_NAMES).meta({ description: "External service.", example: "telegram" });
const failure = z.enum(FAILURES).meta({ description: "Failure to simulate.", example: "unavailable" });

const Call = z.object({
  id: recordId,
  party,
  call: z.string().meta({
    description: "Method and path of the call, without secrets.",
    example: "POST /bot{token}/deleteWebhook",
  }),
  status: z
    .int()
    .nullable()
    .meta({ description: "HTTP status of the response; null without a response.", example: 200 }),
  failure: failure.nullable().meta({ description: "Simulated failure; null if none." }),
  at: timestamp.meta({ description: "When the call was made." }),
});

const Scripted = z.object({
  id: recordId,
  party,
  failure,
  match: z
    .string()
    .meta({ description: "Part of method and path; empty matches any call.", example: "deleteWebhook" }),
  remaining: z.int().meta({ description: "Number of calls it still applies to.", example: 1 }),
});

/** Demo mode only: what the sandboxes of outside parties were called for, and what they will fail at. */
export const listSandboxCalls = operation({
  id: "listSandboxCalls",
  method: "GET",
  path: "/api/dev/sandbox",
  tag: "Demo",
  summary: "List sandbox calls and scripted failures",
  description: "The latest 200 calls of all sandboxes, newest first. Does not exist in production.",
  access: "public",
  query: z.object({ party: party.nullish().meta({ description: "Only calls to this service." }) }),
  output: z.object({
    calls: z.array(Call).meta({ description: "Latest calls, newest first." }),
    failures: z.array(Scripted).meta({ description: "Scripted failures." }),
  }),
});

/** Demo mode only: lets a party fail. */
export const scriptSandbox = operation({
  id: "scriptSandbox",
  method: "POST",
  path: "/api/dev/sandbox/failures",
  tag: "Demo",
  summary: "Script a failure of a sandbox",
  description:
    "The next `times` calls whose method and path contain `match` fail in the given way. Does not exist in production.",
  access: "public",
  body: z.object({
    party,
    failure,
    match: line({ max: 80 })
      .nullish()
      .meta({ description: "Part of method and path; any call when omitted.", example: "deleteWebhook" }),
    times: z.coerce
      .number()
      .int()
      .min(1)
      .max(1000)
      .nullish()
      .meta({ description: "Number of calls that fail; 1 when omitted.", example: 1 }),
  }),
  status: 201,
  output: z.object({ success, failure: Scripted.meta({ description: "The scripted failure." }) }),
});

/** Demo mode only: takes all scripted failures back. */
export const clearSandboxScript = operation({
  id: "clearSandboxScript",
  method: "DELETE",
  path: "/api/dev/sandbox/failures",
  tag: "Demo",
  summary: "Remove all scripted failures",
  description: "Does not exist in production.",
  access: "public",
  output: z.object({ success }),
});

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
  output: z.object({ data: z.array(Mail).meta({ description: "Latest mails, newest first." }) }),
});
