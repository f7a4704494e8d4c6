import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listOutput } from "@/server/core/list";
import { line, message, success, timestamp } from "@/server/core/schema";

export const CheckResult = z
  .object({
    ok: z.boolean().meta({ description: "True when the check passed." }),
    detail: z.string().meta({ description: "Result of the check.", example: "in time" }),
  })
  .meta({ id: "CheckResult", description: "Result of a check." });
export type CheckResult = z.infer<typeof CheckResult>;

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Operation",
  summary: "Check whether the service works",
  description:
    "If a check fails, the status is 503 and the body has the same checks. Orchestrators and proxies use the two " +
    "operations below instead.",
  access: "public",
  output: z.object({
    status: z.literal("ok").meta({ description: "Always `ok`." }),
    checks: z
      .record(z.string(), CheckResult)
      .meta({ description: "Results by check.", example: { database: { ok: true, detail: "in time" } } }),
  }),
  errors: ["unhealthy"],
});

export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/api/health/live",
  tag: "Operation",
  summary: "Check whether this server is running",
  description: "For an orchestrator, which restarts a server that does not respond. Depends on nothing else.",
  access: "public",
  output: z.object({ status: z.literal("ok").meta({ description: "Always `ok`." }) }),
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/api/health/ready",
  tag: "Operation",
  summary: "Check whether this server accepts requests",
  description:
    "For a proxy. Returns 503 while the server starts, while it shuts down, and while the database is unavailable.",
  access: "public",
  output: z.object({ status: z.literal("ok").meta({ description: "Always `ok`." }) }),
  errors: ["not_ready"],
});

/** What a proof is made of: chosen by whoever asks. */
const nonce = z
  .string()
  .regex(/^[0-9A-Za-z]{16,64}$/)
  .meta({ description: "Random text of the caller.", example: "4f1c9a0e5b7d2c3a" });

export const getEcho = operation({
  id: "getEcho",
  method: "GET",
  path: "/api/health/echo",
  tag: "Operation",
  summary: "Prove that a URL leads to this installation",
  description:
    "Only a server with the same secret can compute `proof`. The self-check calls this at the public URL.",
  access: "public",
  limit: { points: 60, per: 60, by: "ip" },
  query: z.object({ nonce }),
  output: z.object({
    proof: z
      .string()
      .meta({ description: "HMAC of the nonce.", example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a" }),
    forwarded: z
      .int()
      .meta({ description: "Number of addresses in the request's `X-Forwarded-For`.", example: 1 }),
  }),
});

export const HealthRow = z
  .object({
    name: z.string().meta({ description: "Name of the part.", example: "database" }),
    light: z
      .enum(["green", "yellow", "red", "grey"])
      .meta({ description: "State of the part. `grey`: not measured yet.", example: "green" }),
    value: z
      .string()
      .meta({ description: "State in the caller's language.", example: "PostgreSQL 17.2, 1 ms" }),
    since: timestamp.nullable().meta({ description: "Since when the state lasts; null if unknown." }),
    code: z.string().nullable().meta({
      description: "Technical code of the failure, such as `ECONNREFUSED`; null if none.",
      example: null,
    }),
    fix: z
      .string()
      .nullable()
      .meta({ description: "Recommended action in the caller's language; null if none.", example: null }),
  })
  .meta({ id: "HealthRow", description: "State of one part of the platform." });
export type HealthRow = z.infer<typeof HealthRow>;

/** The clock of the browser that asks, to compare it with the server's. */
export const browserTime = z.iso.datetime().nullish().meta({
  description: "Current time of the client, to detect a wrong clock.",
  example: "2026-11-20T09:30:00.000Z",
});

const ServerProcess = z
  .object({
    host: z.string().meta({ description: "Host name of the machine.", example: "panel-1" }),
    pid: z.int().meta({ description: "Process ID.", example: 4711 }),
    role: z.enum(["server", "pages", "worker"]).meta({
      description: "Role of the process. A server has a separate process for pages.",
      example: "server",
    }),
    version: z.string().meta({ description: "Version of the software.", example: "0.1.0+6d485e08" }),
    started_at: timestamp.meta({ description: "When the process started." }),
    seen_at: timestamp.meta({ description: "When the process last reported." }),
  })
  .meta({ id: "ServerProcess", description: "A process of the installation." });

const OutsideParty = z
  .object({
    name: z.string().meta({ description: "Key of the service.", example: "parasut" }),
    label: z.string().meta({ description: "Name of the service.", example: "Paraşüt" }),
  })
  .meta({
    id: "OutsideParty",
    description: "An external service from the settings, such as the mail server.",
  });

export const getPlatformHealth = operation({
  id: "getPlatformHealth",
  method: "GET",
  path: "/api/admin/health",
  tag: "Platform",
  summary: "Get the health of the platform",
  description:
    "The checks of the set-up, of `/api/health` and some for administrators only, each with what to do about it. Calls " +
    "the platform's own URL and its mail server, and writes and deletes a small file.",
  access: "token",
  ability: "admin:*",
  limit: { points: 30, per: 60, by: "account" },
  query: z.object({ browser_time: browserTime }),
  output: listOutput("rows", HealthRow, "State of each part.", {
    processes: z
      .array(ServerProcess)
      .meta({ description: "Processes that reported within the last 90 seconds." }),
    parties: z.array(OutsideParty).meta({ description: "External services that can be tested." }),
  }),
});

export const testParty = operation({
  id: "testParty",
  method: "POST",
  path: "/api/admin/health/parties",
  tag: "Platform",
  summary: "Test an external service",
  description:
    "The call changes nothing there: it sends an invalid code, asks for our own account, or for `smtp` sends a test mail " +
    "to the caller. `fix` says what to do, in the caller's language.",
  access: "token",
  ability: "admin:*",
  limit: { points: 10, per: 60, by: "account" },
  body: z.object({
    party: line({ max: 40 }).meta({ description: "Key of the service, from `parties`.", example: "parasut" }),
  }),
  output: z.object({
    success,
    message,
    ok: z.boolean().meta({ description: "True when the service accepted the call.", example: true }),
    problem: z
      .enum(["refused", "unreachable", "unexpected"])
      .nullable()
      .meta({ description: "Kind of problem; null if none.", example: null }),
    fix: z
      .string()
      .nullable()
      .meta({ description: "Recommended action in the caller's language; null if none.", example: null }),
  }),
  errors: ["party_not_set"],
});

const Variable = z
  .object({
    name: z.string().meta({ description: "Name of the variable.", example: "APP_URL" }),
    value: z
      .string()
      .nullable()
      .meta({ description: "Value; null for a secret or if not set.", example: "https://panel.example.com" }),
    set: z.boolean().meta({ description: "True when the variable has a value." }),
    secret: z
      .boolean()
      .meta({ description: "True for a secret, whose value is never shown.", example: false }),
  })
  .meta({ id: "EnvironmentVariable", description: "An environment variable." });

export const listEnvironment = operation({
  id: "listEnvironment",
  method: "GET",
  path: "/api/admin/environment",
  tag: "Platform",
  summary: "List the environment variables of the server",
  description:
    "Read from the environment and `.env`; a change needs a restart. Secrets are only reported as set or not set.",
  access: "token",
  ability: "admin:*",
  output: listOutput("variables", Variable, "Environment variables."),
});
