import * as z from "zod";
import { operation } from "@/server/core/contract";
import { line, recordId, success, timestamp } from "@/server/core/schema";
import { FAILURES, PARTY_NAMES } from "./policy";

const party = z.enum(PARTY_NAMES).meta({ example: "telegram" });
const failure = z.enum(FAILURES).meta({ example: "unavailable" });

const Call = z.object({
  id: recordId,
  party,
  /** Method and path, without secrets. */
  call: z.string().meta({ example: "POST /bot{token}/deleteWebhook" }),
  /** Null when the sandbox sent no answer. */
  status: z.int().nullable().meta({ example: 200 }),
  failure: failure.nullable(),
  at: timestamp,
});

const Scripted = z.object({
  id: recordId,
  party,
  failure,
  /** A part of method and path; empty for any call. */
  match: z.string().meta({ example: "deleteWebhook" }),
  /** Calls that it is still played to. */
  remaining: z.int().meta({ example: 1 }),
});

/** Demo mode only: what the sandboxes of outside parties were called for, and what they will fail at. */
export const listSandboxCalls = operation({
  id: "listSandboxCalls",
  method: "GET",
  path: "/api/dev/sandbox",
  tag: "Demo",
  summary: "List the last calls of every sandbox, and the failures to come",
  description: "The latest 200 calls, newest first. Does not exist in production.",
  access: "public",
  query: z.object({ party: party.nullish() }),
  status: 200,
  output: z.object({ calls: z.array(Call), failures: z.array(Scripted) }),
});

/** Demo mode only: lets a party fail. */
export const scriptSandbox = operation({
  id: "scriptSandbox",
  method: "POST",
  path: "/api/dev/sandbox/failures",
  tag: "Demo",
  summary: "Let a sandbox fail",
  description:
    "The next `times` calls whose method and path contain `match` fail in the way that is named. Does not exist in production.",
  access: "public",
  body: z.object({
    party,
    failure,
    match: line({ max: 80 }).meta({ example: "deleteWebhook" }).nullish(),
    times: z.coerce.number().int().min(1).max(1000).meta({ example: 1 }).nullish(),
  }),
  status: 201,
  output: z.object({ success, failure: Scripted }),
});

/** Demo mode only: takes all scripted failures back. */
export const clearSandboxScript = operation({
  id: "clearSandboxScript",
  method: "DELETE",
  path: "/api/dev/sandbox/failures",
  tag: "Demo",
  summary: "Take all scripted failures back",
  description: "Does not exist in production.",
  access: "public",
  status: 200,
  output: z.object({ success }),
});
