import * as z from "zod";
import * as f from "@/server/core/field";
import { timestamp } from "@/server/core/schema";

const calls = z.int().min(0).meta({ example: 1204 });

/** Figures of the last seven days, beside a key wherever one is listed. */
export const recentUse = {
  calls_7d: calls.meta({ description: "Number of calls in the last seven days." }),
  addresses_count: z
    .int()
    .min(0)
    .meta({ description: "Number of IP addresses in the last seven days.", example: 2 }),
};

/** What a key was used for in the last 30 days, the most frequent first. Figures may be a minute late. */
export const keyUse = {
  ...recentUse,
  operations: f.list(
    z.object({
      operation: f.nullable(
        z.string(),
        "`operationId` of the operation in `/api/openapi.json`; null for all others together.",
        "listSites",
      ),
      method: f.nullable(z.string(), "HTTP method; null for the sum of the rest.", "GET"),
      path: f.nullable(z.string(), "Path of the operation; null for the sum of the rest.", "/api/sites"),
      calls: calls.meta({ description: "Number of calls." }),
      last_at: timestamp.meta({ description: "When the last call was made." }),
    }),
    "Use by operation, most frequent first.",
  ),
  addresses: f.list(
    z.object({
      address: f.nullable(
        z.string(),
        "IP address, for IPv6 the network; null sums up the remaining addresses.",
        "203.0.113.9",
      ),
      calls: calls.meta({ description: "Number of calls." }),
      last_at: timestamp.meta({ description: "When the last call was made." }),
    }),
    "Use by client address, most frequent first.",
  ),
};
