import * as z from "zod";
import { REQUEST_DURATION_LIMITS } from "@/server/core/metrics";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";

const DURATION_COUNTS_SQL = new Fragment(() =>
  [...REQUEST_DURATION_LIMITS, Number.POSITIVE_INFINITY]
    .map((_, index) => `coalesce(sum(durations[${index + 1}]), 0)::float8`)
    .join(", "),
);

/** One scan for all intervals. A sum per element takes a fifth of the time of `unnest`. */
export const sumRequests = statement(
  z.strictObject({
    bucket: z.int(),
    succeeded: z.number(),
    rejected: z.number(),
    throttled: z.number(),
    failed: z.number(),
    durations: z.array(z.number()),
  }),
)<{ limits: Date[] }>`
  select ${bucketSql("at")} as bucket, sum(succeeded)::float8 as succeeded, sum(rejected)::float8 as rejected,
         sum(throttled)::float8 as throttled, sum(failed)::float8 as failed, array[${DURATION_COUNTS_SQL}] as durations
    from request_stats where ${inLimitsSql("at")}
   group by 1`;
