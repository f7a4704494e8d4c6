import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, line, message, success, timestamp } from "@/server/core/schema";

/** One line of the health page. */
export const CheckResult = z
  .object({ ok: z.boolean(), detail: z.string().meta({ example: "in time" }) })
  .meta({ id: "CheckResult" });
export type CheckResult = z.infer<typeof CheckResult>;

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Operation",
  summary: "Check whether the service works",
  description:
    "If a check fails, the status is 503 and the body has the same checks. Orchestrators and proxies ask the two below instead.",
  access: "public",
  status: 200,
  output: z.object({
    status: z.literal("ok"),
    checks: z
      .record(z.string(), CheckResult)
      .meta({ example: { database: { ok: true, detail: "in time" } } }),
  }),
  errors: ["unhealthy"],
});

export const getLiveness = operation({
  id: "getLiveness",
  method: "GET",
  path: "/api/health/live",
  tag: "Operation",
  summary: "Check whether this server runs",
  description:
    "For an orchestrator, which restarts a server that does not respond. It depends on nothing else.",
  access: "public",
  status: 200,
  output: z.object({ status: z.literal("ok") }),
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/api/health/ready",
  tag: "Operation",
  summary: "Check whether this server takes requests",
  description:
    "For a proxy. 503 while the server starts, while it was told to stop and finishes what is under way, and while the database is away.",
  access: "public",
  status: 200,
  output: z.object({ status: z.literal("ok") }),
  errors: ["not_ready"],
});

/** What a proof is made of: chosen by whoever asks. */
const nonce = z
  .string()
  .regex(/^[0-9A-Za-z]{16,64}$/)
  .meta({ example: "4f1c9a0e5b7d2c3a" });

export const getEcho = operation({
  id: "getEcho",
  method: "GET",
  path: "/api/health/echo",
  tag: "Operation",
  summary: "Prove that an address leads to this installation",
  description:
    "`proof` can only be made by a server with the same secret. The self-check asks it at the public address.",
  access: "public",
  limit: { points: 60, per: 60, by: "ip" },
  query: z.object({ nonce }),
  status: 200,
  output: z.object({
    proof: z.string().meta({ example: "9f2c4e6a8b0d1f3c5e7a9b1d3f5c7e9a" }),
    /** How many addresses the request's X-Forwarded-For names. */
    forwarded: z.int().meta({ example: 1 }),
  }),
});

/** One row of the administrators' health page. */
export const HealthRow = z
  .object({
    /** A part of the platform. */
    name: z.string().meta({ example: "database" }),
    /** `grey`: not measured yet. */
    light: z.enum(["green", "yellow", "red", "grey"]).meta({ example: "green" }),
    /** Its state, in the reader's language. */
    value: z.string().meta({ example: "PostgreSQL 17.2, 1 ms" }),
    /** Since when it is so, where that is known. */
    since: timestamp.nullable(),
    /** Technical code of the failure, such as `ECONNREFUSED`; null without one. */
    code: z.string().nullable().meta({ example: null }),
    /** What to do, in the reader's language; null where nothing has to be done. */
    fix: z.string().nullable().meta({ example: null }),
  })
  .meta({ id: "HealthRow" });
export type HealthRow = z.infer<typeof HealthRow>;

/** The clock of the browser that asks, to compare it with the server's. */
export const browserTime = z.iso.datetime().nullish().meta({ example: "2026-11-20T09:30:00.000Z" });

const ServerProcess = z
  .object({
    host: z.string().meta({ example: "panel-1" }),
    pid: z.int().meta({ example: 4711 }),
    /** A server has a process of its own for pages. */
    role: z.enum(["server", "pages", "worker"]).meta({ example: "server" }),
    version: z.string().meta({ example: "0.1.0+6d485e08" }),
    started_at: timestamp,
    seen_at: timestamp,
  })
  .meta({ id: "ServerProcess" });

/** Somebody outside whom the settings name, such as who carries mails. */
const OutsideParty = z
  .object({
    name: z.string().meta({ example: "parasut" }),
    label: z.string().meta({ example: "Paraşüt" }),
  })
  .meta({ id: "OutsideParty" });

export const getPlatformHealth = operation({
  id: "getPlatformHealth",
  method: "GET",
  path: "/api/admin/health",
  tag: "Platform",
  summary: "Get the state of every part of the platform, with what to do about it",
  description:
    "The self-check of the set-up, what `/api/health` asks, and what is for administrators alone. It calls the platform's own " +
    "address and its mail server, and writes and deletes a small file.",
  access: "token",
  ability: "admin:*",
  limit: { points: 30, per: 60, by: "account" },
  query: z.object({ browser_time: browserTime }),
  status: 200,
  output: z.object({
    success,
    rows: z.array(HealthRow),
    data: z.array(HealthRow),
    count,
    /** Those that have shown themselves within the last 90 seconds. */
    processes: z.array(ServerProcess),
    /** Those that can be tested. */
    parties: z.array(OutsideParty),
  }),
});

export const testParty = operation({
  id: "testParty",
  method: "POST",
  path: "/api/admin/health/parties",
  tag: "Platform",
  summary: "Call an outside party that the settings name, to see whether it takes us",
  description:
    "The call changes nothing there: a code that was never given, our own account, or for `smtp` a test mail to the caller. " +
    "`fix` says what to do, in the caller's language.",
  access: "token",
  ability: "admin:*",
  limit: { points: 10, per: 60, by: "account" },
  body: z.object({ party: line({ max: 40 }).meta({ example: "parasut" }) }),
  status: 200,
  output: z.object({
    success,
    message,
    ok: z.boolean().meta({ example: true }),
    problem: z.enum(["refused", "unreachable", "unexpected"]).nullable().meta({ example: null }),
    fix: z.string().nullable().meta({ example: null }),
  }),
  errors: ["party_not_set"],
});

const Variable = z
  .object({
    name: z.string().meta({ example: "APP_URL" }),
    /** Null for a secret, and for what is not set. */
    value: z.string().nullable().meta({ example: "https://panel.example.com" }),
    set: z.boolean(),
    secret: z.boolean().meta({ example: false }),
  })
  .meta({ id: "EnvironmentVariable" });

export const listEnvironment = operation({
  id: "listEnvironment",
  method: "GET",
  path: "/api/admin/environment",
  tag: "Platform",
  summary: "Get the settings that the server was started with",
  description:
    "Read from its environment and `.env`; a change needs a restart. Secrets are only said to be set or not.",
  access: "token",
  ability: "admin:*",
  status: 200,
  output: z.object({ success, variables: z.array(Variable), data: z.array(Variable), count }),
});
