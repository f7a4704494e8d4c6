import * as z from "zod";
import { operation } from "@/server/core/contract";

/** One line of the health page. */
export const CheckResult = z
  .object({ ok: z.boolean(), detail: z.string().meta({ example: "3 ms" }) })
  .meta({ id: "CheckResult" });
export type CheckResult = z.infer<typeof CheckResult>;

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Operation",
  summary: "Check whether the service works",
  description: "If a check fails, the status is 503 and the body has the same checks.",
  access: "public",
  status: 200,
  output: z.object({
    status: z.literal("ok"),
    checks: z.record(z.string(), CheckResult).meta({ example: { database: { ok: true, detail: "3 ms" } } }),
  }),
  errors: ["unhealthy"],
});
