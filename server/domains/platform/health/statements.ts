import * as z from "zod";
import { declared } from "@/server/core/domain";
import { Fragment, statement } from "@/server/infrastructure/database/statement";

/** The smallest statement PostgreSQL can run, on the connection that all statements use. */
export const ping = statement(z.strictObject({ answer: z.int() }))`select 1 as answer`;

/** The queue's own tables, which are not Prisma's. `oldest` in seconds. */
export const findBacklog = statement(z.strictObject({ waiting: z.int(), oldest: z.int().nullable() }))<{
  names: string[];
}>`
  select count(*)::int as waiting, extract(epoch from now() - min(run_at))::int as oldest
    from graphile_worker.jobs
   where run_at <= now() and attempts < max_attempts and task_identifier = any(${({ names }) => names}::text[])`;

/** The queue's, which writes it without models. One that has not shown itself for half a minute is gone. */
export const countWorkers = statement(z.strictObject({ alive: z.int(), last: z.date().nullable() }))`
  select count(*) filter (where seen_at > now() - interval '30 seconds')::int as alive, max(seen_at) as last from job_workers`;

/** What PostgreSQL alone can say: its version, as 170002, and the time on its clock. */
export const askDatabase = statement(z.strictObject({ version: z.int(), at: z.date() }))`
  select current_setting('server_version_num')::int as version, clock_timestamp() as at`;

/** A table that is written before there are models. */
export const listApplied = statement(z.strictObject({ name: z.string() }))`
  select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null
   order by migration_name`;

const NAMED = new Fragment(() =>
  declared()
    .flatMap(({ stored = [] }) => stored)
    .map(({ table, column, folder }) => {
      const key = `ltrim(${column}, '/')`;
      return `select ${key} as key from ${table} where ${key} like '${folder}/%'`;
    })
    .join(" union all "),
);
const Keys = z.strictObject({ key: z.string(), total: z.int() });

/** Built from the declared columns: listed files that none of them names. */
export const findUnnamed = statement(Keys)<{ run: Date; before: Date; limit: number }>`
  select key, count(*) over ()::int as total from listed_files
   where run = ${({ run }) => run} and changed_at < ${({ before }) => before}
     and not exists (select from (${NAMED}) named where named.key = listed_files.key)
   order by key limit ${({ limit }) => limit}`;

/** Built from the declared columns: what they name and is not listed. */
export const findMissing = statement(Keys)<{ run: Date; limit: number }>`
  select key, count(*) over ()::int as total from (${NAMED}) named
   where not exists (select from listed_files where run = ${({ run }) => run} and listed_files.key = named.key)
   order by key limit ${({ limit }) => limit}`;
