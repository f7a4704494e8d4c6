import * as z from "zod";
import { timestamp } from "@/server/core/schema";

const calls = z.int().min(0).meta({ example: 1204 });

/** Figures of the last seven days, beside a key wherever one is listed. */
export const recentUse = {
  calls_7d: calls,
  addresses_count: z.int().min(0).meta({ example: 2 }),
};

/** What a key was used for in the last 30 days, the most frequent first. Figures may be a minute late. */
export const keyUse = {
  ...recentUse,
  operations: z.array(
    z.object({
      /** As in `/api/openapi.json`; null is the sum of those that a day has no room for. */
      operation: z.string().nullable().meta({ example: "listSites" }),
      method: z.string().nullable().meta({ example: "GET" }),
      path: z.string().nullable().meta({ example: "/api/sites" }),
      calls,
      last_at: timestamp,
    }),
  ),
  addresses: z.array(
    z.object({
      /** Of IPv6 the network; null is the sum of those that a day has no room for. */
      address: z.string().nullable().meta({ example: "203.0.113.9" }),
      calls,
      last_at: timestamp,
    }),
  ),
};
