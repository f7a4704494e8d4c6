import * as z from "zod";
import { getRegisteredDomains } from "@/server/core/domain";
import { Fragment, statement } from "@/server/infrastructure/database/statement";

export const pingDatabase = statement(z.strictObject({ answer: z.int() }))`select 1 as answer`;

/** Prisma has no models of the queue's tables. */
export const summarizeBacklog = statement(
  z.strictObject({ waitingCount: z.int(), oldestAgeSeconds: z.int().nullable() }),
)<{
  names: string[];
}>`
  select count(*)::int as "waitingCount", extract(epoch from now() - min(run_at))::int as "oldestAgeSeconds"
    from graphile_worker.jobs
   where run_at <= now() and attempts < max_attempts and task_identifier = any(${({ names }) => names}::text[])`;

/** Workers report regularly; one without a report for 30 seconds counts as dead. */
export const countWorkers = statement(
  z.strictObject({ aliveCount: z.int(), lastSeenAt: z.date().nullable() }),
)`
  select count(*) filter (where seen_at > now() - interval '30 seconds')::int as "aliveCount", max(seen_at) as "lastSeenAt" from job_workers`;

/** Version of PostgreSQL, for example 170002, and its current time. */
export const readDatabaseInfo = statement(z.strictObject({ version: z.int(), at: z.date() }))`
  select current_setting('server_version_num')::int as version, clock_timestamp() as at`;

export const listAppliedMigrations = statement(z.strictObject({ name: z.string() }))`
  select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null
   order by migration_name`;

const REFERENCED_KEYS = new Fragment(() =>
  getRegisteredDomains()
    .flatMap(({ storedFileColumns = [] }) => storedFileColumns)
    .map(({ table, column, folder }) => {
      const key = `ltrim(${column}, '/')`;
      return `select ${key} as key from ${table} where ${key} like '${folder}/%'`;
    })
    .join(" union all "),
);
const KeyRow = z.strictObject({ key: z.string(), total: z.int() });

export const findUnreferencedFiles = statement(KeyRow)<{ run: Date; before: Date; limit: number }>`
  select key, count(*) over ()::int as total from listed_files
   where run = ${({ run }) => run} and changed_at < ${({ before }) => before}
     and not exists (select from (${REFERENCED_KEYS}) named where named.key = listed_files.key)
   order by key limit ${({ limit }) => limit}`;

export const findMissingFiles = statement(KeyRow)<{ run: Date; limit: number }>`
  select key, count(*) over ()::int as total from (${REFERENCED_KEYS}) named
   where not exists (select from listed_files where run = ${({ run }) => run} and listed_files.key = named.key)
   order by key limit ${({ limit }) => limit}`;
