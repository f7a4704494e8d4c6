import * as z from "zod";
import { operation } from "@/server/core/contract";

/** One line of the health page. */
export const CheckResult = z.object({ ok: z.boolean(), detail: z.string() });
export type CheckResult = z.infer<typeof CheckResult>;

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Operation",
  summary: "Whether the service works",
  description: "503 with the same checks when one of them fails.",
  access: "public",
  status: 200,
  output: z.object({ status: z.literal("ok"), checks: z.record(z.string(), CheckResult) }),
  errors: ["unhealthy"],
});
