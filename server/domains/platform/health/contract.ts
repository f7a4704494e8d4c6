import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CheckResult } from "@/server/core/errors";

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  tag: "Operation",
  summary: "Whether the service works",
  description: "503 with the same checks when one of them fails.",
  access: "public",
  status: 200,
  answer: z.object({ status: z.literal("ok"), checks: z.record(z.string(), CheckResult) }),
  errors: ["unhealthy"],
});
