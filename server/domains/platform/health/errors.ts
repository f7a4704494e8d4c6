import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { CheckResult } from "./contract";

export const healthErrors = {
  unhealthy: {
    status: 503,
    shape: "failure",
    fields: z
      .strictObject({
        status: z.literal("failing").meta({ description: "Always `failing`." }),
        checks: z.record(z.string(), CheckResult).meta({
          description: "Result of each check, by name.",
          example: { database: { ok: false, detail: "unavailable" } },
        }),
      })
      .meta({ id: "Unhealthy", description: "A check of the server has failed." }),
  },
  /** The external service is unknown or not configured. */
  party_not_set: { status: 422, shape: "failure" },
  not_ready: {
    status: 503,
    shape: "failure",
    fields: z
      .strictObject({
        status: z
          .enum(["starting", "draining", "database_away"])
          .meta({ description: "Why the server accepts no requests.", example: "draining" }),
      })
      .meta({ id: "NotReady", description: "The server accepts no requests." }),
  },
} as const satisfies ErrorSpecs;
