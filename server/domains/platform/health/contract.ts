import * as z from "zod";
import { operation } from "@/server/core/contract";

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
