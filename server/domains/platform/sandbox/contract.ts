import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { createdAt, email, recordId, success, textLine, timestamp } from "@/server/core/schema";
import { FAILURES, SERVICE_NAMES } from "./policy";

const party = f.oneOf(SERVICE_NAMES, "External service.", "telegram");
const failure = f.oneOf(FAILURES, "Failure to simulate.", "unavailable");

const Call = z.object({
  id: recordId,
  party,
  call: f.text("Method and path of the call, without secrets.", "POST /bot{token}/deleteWebhook"),
  status: f.nullable(z.int(), "HTTP status of the response; null without a response.", 200),
  failure: f.nullable(failure, "Simulated failure; null if none.", null),
  at: timestamp.meta({ description: "When the call was made." }),
});

const ScriptedFailure = z.object({
  id: recordId,
  party,
  failure,
  match: f.text(
    "Text that the method and path of a matching call contain; empty matches every call.",
    "deleteWebhook",
  ),
  remaining: f.integer("Number of calls that will still fail.", 1),
});

export const listSandboxCalls = operation({
  id: "listSandboxCalls",
  method: "GET",
  path: "/api/dev/sandbox",
  tag: "Demo",
  summary: "List sandbox calls and scripted failures",
  description: "The latest 200 calls of all sandboxes, newest first. Does not exist in production.",
  access: "public",
  query: z.object({ party: f.nullish(party, "Only calls to this service.") }),
  output: z.object({
    calls: f.list(Call, "Latest calls, newest first."),
    failures: f.list(ScriptedFailure, "Scripted failures."),
  }),
});

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
    match: f.nullish(
      textLine({ max: 80 }),
      "Text that the method and path of a matching call contain; any call when omitted.",
      "deleteWebhook",
    ),
    times: f.nullish(
      z.coerce.number().int().min(1).max(1000),
      "Number of calls that fail; 1 when omitted.",
      1,
    ),
  }),
  status: 201,
  output: f.success({ failure: ScriptedFailure.meta({ description: "The scripted failure." }) }),
});

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
  to: f.text("Address of the recipient.", "ayse@example.com"),
  subject: f.text("Subject of the email.", "Verify your email address"),
  template: f.text("Template of the email.", "verify_email"),
  locale: f.text("Language code: tr, en, ru, de, ar, fr or it.", "en"),
  state: f.oneOf(["queued", "sent", "failed"], "State of the email.", "sent"),
  text: f.text("Body as text.", "Your code is 482913."),
  html: f.text("Body as HTML.", "<p>Your code is 482913.</p>"),
  created_at: createdAt,
});

/** Shows links and codes without an email server, in demo mode only. */
export const listMails = operation({
  id: "listMails",
  method: "GET",
  path: "/api/dev/mailbox",
  tag: "Demo",
  summary: "List sent emails and text messages",
  description: "The latest 50, newest first. Text messages have negative IDs. Does not exist in production.",
  access: "public",
  query: z.object({ to: f.nullish(email, "Only emails to this address and text messages to its account.") }),
  output: z.object({ data: f.list(Mail, "Latest emails, newest first.") }),
});
