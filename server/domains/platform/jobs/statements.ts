import * as z from "zod";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { intervalsSql } from "@/server/infrastructure/series/lines";
import { JOB_STATES } from "./policy";

/* Prisma has no models of the queue's tables. The view `jobs` has no payloads, so none can leak. */

const STATE_SQL =
  new Fragment(`case when locked_at is not null then 'running' when attempts >= max_attempts then 'given_up'
  when last_error is not null then 'retrying' else 'waiting' end`);

interface JobFilter {
  id: number | null;
  task: string | null;
  state: (typeof JOB_STATES)[number] | null;
}
const state = z.enum(JOB_STATES);

export const countJobs = statement(z.strictObject({ count: z.int() }))<JobFilter & { max: number }>`
  select count(*)::int as count from (
    select from graphile_worker.jobs
     where coalesce(id = ${(input) => input.id}::bigint, true)
       and coalesce(position(${(input) => input.task}::text in task_identifier) > 0, true)
       and coalesce(${STATE_SQL} = ${(input) => input.state}::text, true)
     limit ${(input) => input.max}) found`;

/** `direction`: 1 for oldest first, -1 for newest first. */
export const listJobPage = statement(
  z.strictObject({
    id: z.number(),
    task: z.string(),
    queue: z.string().nullable(),
    state,
    attempts: z.int(),
    max: z.int(),
    error: z.string().nullable(),
    runAt: z.date(),
    createdAt: z.date(),
  }),
)<JobFilter & { direction: 1 | -1; skip: number; take: number }>`
  select id::float8 as id, task_identifier as task, queue_name as queue, ${STATE_SQL} as state, attempts::int as attempts,
         max_attempts::int as max, left(last_error, 2000) as error, run_at as "runAt", created_at as "createdAt"
    from graphile_worker.jobs
   where coalesce(id = ${(input) => input.id}::bigint, true)
     and coalesce(position(${(input) => input.task}::text in task_identifier) > 0, true)
     and coalesce(${STATE_SQL} = ${(input) => input.state}::text, true)
   order by jobs.id * ${(input) => input.direction}::int
  offset ${(input) => input.skip} limit ${(input) => input.take}`;

export const findJobState = statement(z.strictObject({ state }))<{ id: number }>`
  select ${STATE_SQL} as state from graphile_worker.jobs where id = ${(input) => input.id}::bigint`;

/** The queue's function skips jobs that a worker has locked. Restarts the attempt count of given-up jobs. */
export const retryJobNow = statement(z.strictObject({ task: z.string() }))<{ id: number }>`
  select failed.task_identifier as task
    from graphile_worker.jobs failed,
         graphile_worker.reschedule_jobs(array[failed.id], run_at => now(),
           attempts => case when failed.attempts >= failed.max_attempts then 0 end) done
   where failed.id = ${(input) => input.id}::bigint and failed.locked_at is null and failed.last_error is not null`;

export const giveUpJobNow = statement(z.strictObject({ task: z.string() }))<{ id: number }>`
  select failed.task_identifier as task
    from graphile_worker.jobs failed, graphile_worker.permanently_fail_jobs(array[failed.id], failed.last_error) done
   where failed.id = ${(input) => input.id}::bigint and failed.locked_at is null and failed.last_error is not null
     and failed.attempts < failed.max_attempts`;

export const summarizeGivenUpJobs = statement(
  z.strictObject({ count: z.int(), since: z.date().nullable(), error: z.string().nullable() }),
)`
  select count(*)::int as count, min(updated_at) as since,
         left((array_agg(last_error order by updated_at desc))[1], 2000) as error
    from graphile_worker.jobs where attempts >= max_attempts and locked_at is null`;

export const retryGivenUpJobs = statement(z.strictObject({ id: z.number() }))<{ limit: number }>`
  select done.id::float8 as id
    from graphile_worker.reschedule_jobs(array(
           select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null
            order by id limit ${(input) => input.limit}), run_at => now(), attempts => 0) done`;

export const listLastRuns = statement(z.strictObject({ task: z.string(), at: z.date().nullable() }))`
  select identifier as task, last_execution as at from graphile_worker._private_known_crontabs`;

/** Summed up per interval by an index; Prisma cannot group by an interval. */
export const summarizeRuns = statement(
  z.strictObject({
    bucket: z.int(),
    succeeded: z.number(),
    failed: z.number(),
    durationSum: z.number(),
    longest: z.number(),
  }),
)<{ limits: Date[]; task: string | null }>`
  select i.bucket, summed.* from ${intervalsSql} cross join lateral (
  select sum(runs - failures)::float8 as succeeded, sum(failures)::float8 as failed,
         sum(ms_sum)::float8 as "durationSum", max(ms_max)::float8 as longest
    from job_stats
   where hour >= i.at and hour < i.until and coalesce(task = ${({ task }) => task}::text, true)
  having count(*) > 0) summed`;
