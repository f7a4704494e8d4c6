import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import { textLine, timestamp } from "@/server/core/schema";

export const CheckResult = f.namedObject("CheckResult", "Result of a check.", {
  ok: f.boolean("True when the check passed."),
  detail: f.text("Result of the check.", "in time"),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Operation",
  summary: "Check all parts of the service",
  description:
    "If a check fails, the status is 503 and the body contains the same `checks`. Orchestrators should use " +
    "`/api/health/live` instead, proxies `/api/health/ready`.",
  access: "public",
  output: z.object({
    status: z.literal("ok").meta({ description: "Always `ok`." }),
    checks: z.record(z.string(), CheckResult).meta({
      description: "Result of each check, by name.",
      example: { database: { ok: true, detail: "in time" } },
    }),
  }),
  errors: ["unhealthy"],
});

export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/api/health/live",
  tag: "Operation",
  summary: "Check whether this server is running",
  description:
    "For orchestrators, which restart a server that does not respond. Does not check the database or other services.",
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
    "For load balancers and proxies. Returns 503 while the server starts, while it shuts down, and while the database is unavailable.",
  access: "public",
  output: z.object({ status: z.literal("ok").meta({ description: "Always `ok`." }) }),
  errors: ["not_ready"],
});

const nonce = z
  .string()
  .regex(/^[0-9A-Za-z]{16,64}$/)
  .meta({
    description: "Random text chosen by the caller, 16 to 64 letters and digits.",
    example: "4f1c9a0e5b7d2c3a",
  });

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
    proof: f.text(
      "First 128 bits of an HMAC-SHA256 of the nonce, in hex.",
      "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a",
    ),
    forwarded: f.integer("Number of addresses in the request's `X-Forwarded-For`.", 1),
  }),
});

export const HealthRow = f.namedObject("HealthRow", "State of one part of the platform.", {
  name: f.text("Name of the part.", "database"),
  light: f.oneOf(
    ["green", "yellow", "red", "grey"],
    "State of the part. `yellow`: needs attention. `red`: broken. `grey`: not measured.",
    "green",
  ),
  value: f.text("State in the caller's language.", "PostgreSQL 17.2, 1 ms"),
  since: f.nullable(timestamp, "Start of the current state or time of the last check; null if unknown."),
  code: f.nullable(z.string(), "Technical code of the failure, such as `ECONNREFUSED`; null if none.", null),
  fix: f.nullable(z.string(), "Recommended action in the caller's language; null if none.", null),
});
export type HealthRow = z.infer<typeof HealthRow>;

export const browserTime = f.nullish(
  z.iso.datetime(),
  "Current time of the client, to detect a wrong clock.",
  "2026-11-20T09:30:00.000Z",
);

const ServerProcess = f.namedObject("ServerProcess", "A process of the installation.", {
  host: f.text("Host name of the machine.", "panel-1"),
  pid: f.integer("Process ID.", 4711),
  role: f.oneOf(
    ["server", "pages", "worker"],
    "Role of the process. A server has a separate process for pages.",
    "server",
  ),
  version: f.text("Version of the software.", "0.1.0+6d485e08"),
  started_at: timestamp.meta({ description: "When the process started." }),
  seen_at: timestamp.meta({
    description: "When the process last reported.",
    example: "2027-11-20T10:15:30.000000Z",
  }),
});

const OutsideParty = f.namedObject(
  "OutsideParty",
  "An external service from the settings, such as the email server.",
  {
    name: f.text("Key of the service.", "parasut"),
    label: f.text("Name of the service.", "Paraşüt"),
  },
);

const ADMIN_OPERATION = { tag: "Platform", access: "token", ability: "admin:*" } as const;

export const getPlatformHealth = operation({
  id: "getPlatformHealth",
  method: "GET",
  path: "/api/admin/health",
  ...ADMIN_OPERATION,
  summary: "Get the health of the platform",
  description:
    "Runs the checks of the set-up, those of `/api/health`, and some for administrators only. Rows that need attention " +
    "have a recommended action. The checks call the platform's own URL and its email server, and write and delete a small " +
    "file.",
  limit: { points: 30, per: 60, by: "account" },
  query: z.object({ browser_time: browserTime }),
  output: listOutput("rows", HealthRow, "State of each part.", {
    processes: f.list(ServerProcess, "Processes that reported within the last 90 seconds."),
    parties: f.list(OutsideParty, "External services that can be tested."),
  }),
});

export const testParty = operation({
  id: "testParty",
  method: "POST",
  path: "/api/admin/health/parties",
  ...ADMIN_OPERATION,
  summary: "Test an external service",
  description:
    "Sends an invalid code or reads the platform's own account, so that nothing changes at the service. For `smtp`, it " +
    "sends a test mail to the caller.",
  limit: { points: 10, per: 60, by: "account" },
  body: z.object({
    party: textLine({ max: 40 }).meta({
      description: "Key of the service, from `parties`.",
      example: "parasut",
    }),
  }),
  output: f.changeOutput({
    ok: f.boolean("True when the service accepted the call.", true),
    problem: f.nullable(
      z.enum(["refused", "unreachable", "unexpected"]),
      "Kind of problem; null if none.",
      null,
    ),
    fix: f.nullable(z.string(), "Recommended action in the caller's language; null if none.", null),
  }),
  errors: ["party_not_set"],
});

const Variable = f.namedObject("EnvironmentVariable", "An environment variable.", {
  name: f.text("Name of the variable.", "APP_URL"),
  value: f.nullable(z.string(), "Value; null for a secret or if not set.", "https://panel.example.com"),
  set: f.boolean("True when the variable has a value."),
  secret: f.boolean("True for a secret, whose value is never shown.", false),
});

export const listEnvironment = operation({
  id: "listEnvironment",
  method: "GET",
  path: "/api/admin/environment",
  ...ADMIN_OPERATION,
  summary: "List the environment variables of the server",
  description:
    "Read from the environment and `.env`; a change needs a restart. Secrets are only reported as set or not set.",
  output: listOutput("variables", Variable, "Environment variables."),
});
