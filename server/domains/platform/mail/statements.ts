import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";

/** One scan for all states and intervals; Prisma cannot group by an interval. */
export const countMailsByState = statement(
  z.strictObject({ bucket: z.int(), sent: z.int(), queued: z.int(), failed: z.int() }),
)<{ limits: Date[] }>`
  select ${bucketSql("created_at")} as bucket,
         count(*) filter (where state = 'sent')::int as sent,
         count(*) filter (where state = 'queued')::int as queued,
         count(*) filter (where state = 'failed')::int as failed
    from mail_messages where ${inLimitsSql("created_at")}
   group by 1`;
