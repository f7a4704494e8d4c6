import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { CheckResult } from "./contract";

export const healthErrors = {
  unhealthy: {
    status: 503,
    shape: "failure",
    fields: z
      .strictObject({
        status: z.literal("failing"),
        checks: z
          .record(z.string(), CheckResult)
          .meta({ example: { database: { ok: false, detail: "unavailable" } } }),
      })
      .meta({ id: "Unhealthy" }),
  },
  party_not_set: { status: 422, shape: "failure" },
  not_ready: {
    status: 503,
    shape: "failure",
    fields: z
      .strictObject({
        status: z.enum(["starting", "draining", "database_away"]).meta({ example: "draining" }),
      })
      .meta({ id: "NotReady" }),
  },
} as const satisfies ErrorSpecs;

type HealthErrors = typeof healthErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends HealthErrors {}
}
