import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { intervalsSql } from "@/server/infrastructure/series/lines";

/** Counted per interval by an index; Prisma cannot group by an interval. */
export const countMailsByState = statement(
  z.strictObject({ bucket: z.int(), sent: z.int(), queued: z.int(), failed: z.int() }),
)<{ limits: Date[] }>`
  select i.bucket, counted.* from ${intervalsSql} cross join lateral (
  select count(*) filter (where state = 'sent')::int as sent,
         count(*) filter (where state = 'queued')::int as queued,
         count(*) filter (where state = 'failed')::int as failed
    from mail_messages where created_at >= i.at and created_at < i.until) counted`;
