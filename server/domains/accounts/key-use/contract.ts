import * as z from "zod";
import * as f from "@/server/core/field";
import { timestamp } from "@/server/core/schema";

const calls = z.int().min(0).meta({ example: 1204 });

export const recentUseFields = {
  calls_7d: calls.meta({ description: "Number of calls in the last seven days (UTC), including today." }),
  addresses_count: z.int().min(0).meta({
    description: "Number of IPv4 addresses and IPv6 networks (/64) in the last seven days (UTC).",
    example: 1,
  }),
};

/** Calls of the last minute may be missing. The texts repeat KEY_USE_RETENTION_DAYS and MAX_ROWS_PER_DAY. */
export const keyUseFields = {
  ...recentUseFields,
  operations: f.list(
    z.object({
      operation: f.nullable(
        z.string(),
        "`operationId` in `/api/openapi.json` or `/api/openapi-admin.json`. Null for the sum of all other calls: per day, " +
          "only 200 combinations of operation and address are counted separately.",
        "listSites",
      ),
      method: f.nullable(
        z.string(),
        "HTTP method; null if the operation is null or no longer exists.",
        "GET",
      ),
      path: f.nullable(
        z.string(),
        "Path of the operation; null if the operation is null or no longer exists.",
        "/api/sites",
      ),
      calls: calls.meta({ description: "Number of calls in the last 30 days (UTC), including today." }),
      last_at: timestamp.meta({ description: "Time of the last call." }),
    }),
    "Use by operation in the last 30 days (UTC), including today, most frequent first.",
  ),
  addresses: f.list(
    z.object({
      address: f.nullable(
        z.string(),
        "IPv4 address or IPv6 network (/64). Null for the sum of all other calls: per day, only 200 combinations of " +
          "operation and address are counted separately.",
        "203.0.113.9",
      ),
      calls: calls.meta({ description: "Number of calls in the last 30 days (UTC), including today." }),
      last_at: timestamp.meta({ description: "Time of the last call." }),
    }),
    "Use by client address in the last 30 days (UTC), including today, most frequent first.",
  ),
};
