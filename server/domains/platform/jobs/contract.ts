import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { count, line, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { HISTORY_PERIODS, JOB_STATES } from "./policy";

/** Jobs that a search counts and shows pages of. */
export const JOBS_MAX = 10_000;

/** How much failed work one call has tried again. */
export const RETRIED_MAX = 100;

const TAG = "Jobs";
const administrators = { tag: TAG, access: "token", ability: "admin:*" } as const;
const sixtyAMinute = { points: 60, per: 60, by: "account" } as const;

const lastError = z.string().nullable().meta({ example: "connect ECONNREFUSED" });

export const listJobs = operation({
  id: "listJobs",
  method: "GET",
  path: "/api/admin/jobs",
  summary: "List background jobs",
  description:
    "`q` is the number of a job or a part of its task's name. What a job works on is never shown, and its last error without " +
    `secrets and addresses. At most ${JOBS_MAX} jobs are counted and shown.`,
  ...administrators,
  query: listFilter({
    sorts: ["created_at"],
    filters: { state: z.enum(JOB_STATES).meta({ example: "given_up" }).nullish() },
  }).extend(pageQuery.shape),
  status: 200,
  output: z.object({
    data: z.array(
      z
        .object({
          id: recordId,
          task: z.string().meta({ example: "deliver_mail" }),
          /** Jobs of one queue run one after the other. */
          queue: z.string().nullable().meta({ example: null }),
          /** `retrying` has failed and is tried again at `run_at`; `given_up` is not. */
          state: z.enum(JOB_STATES),
          attempts: z.int().meta({ example: 3 }),
          max_attempts: z.int().meta({ example: 25 }),
          last_error: lastError,
          run_at: timestamp,
          created_at: timestamp,
        })
        .meta({ id: "Job" }),
    ),
    meta: PageMeta,
  }),
});

const one = {
  ...administrators,
  limit: sixtyAMinute,
  params: z.object({ id: pathId }),
  record: "Job",
  status: 200,
  output: z.object({ success, message }),
} as const;

export const retryJob = operation({
  id: "retryJob",
  method: "POST",
  path: "/api/admin/jobs/{id}/retry",
  summary: "Run a failed job now",
  description:
    "One that was given up begins to count its attempts anew. 409 while it runs, 422 when it has not failed.",
  ...one,
  errors: ["record_not_found", "job_running", "job_waits"],
});

export const giveUpJob = operation({
  id: "giveUpJob",
  method: "POST",
  path: "/api/admin/jobs/{id}/give-up",
  summary: "Give a failed job up",
  description:
    "It is not tried again by itself, and stays in the list with its error. 409 while it runs, 422 when it has not failed or " +
    "was given up.",
  ...one,
  errors: ["record_not_found", "job_running", "job_waits", "job_given_up"],
});

export const listSchedule = operation({
  id: "listSchedule",
  method: "GET",
  path: "/api/admin/schedule",
  summary: "List recurring jobs",
  ...administrators,
  status: 200,
  output: z.object({
    success,
    data: z.array(
      z
        .object({
          task: z.string().meta({ example: "forget_tokens" }),
          /** Minute, hour, day, month, weekday; UTC. */
          cron: z.string().meta({ example: "17 * * * *" }),
          /** When it was last due and begun; null before the first time. */
          last_run_at: timestamp.nullable(),
        })
        .meta({ id: "RecurringJob" }),
    ),
    count,
  }),
});

export const runTask = operation({
  id: "runTask",
  method: "POST",
  path: "/api/admin/schedule",
  summary: "Run a recurring job now",
  description: "One that waits already is not doubled. 422 for a task that does not recur.",
  ...administrators,
  limit: sixtyAMinute,
  body: z.object({ task: line({ max: 100 }).meta({ example: "forget_tokens" }) }),
  errors: ["job_unknown"],
  status: 200,
  output: z.object({ success, message }),
});

export const getJobHistory = operation({
  id: "getJobHistory",
  method: "GET",
  path: "/api/admin/jobs/history",
  summary: "Show how jobs went",
  description:
    "Runs of every task over all processes, those that fail most first, then the longest: of the last 24 hours (`day`, unless " +
    "told otherwise) or 7 days (`week`), by whole hours. Times are in milliseconds; what ran within the last minute may be missing.",
  ...administrators,
  query: z.object({ period: z.enum(HISTORY_PERIODS).meta({ example: "week" }).nullish() }),
  status: 200,
  output: z.object({
    success,
    data: z.array(
      z
        .object({
          task: z.string().meta({ example: "deliver_mail" }),
          runs: z.int().meta({ example: 120 }),
          failures: z.int().meta({ example: 2 }),
          average_ms: z.int().meta({ example: 85 }),
          longest_ms: z.int().meta({ example: 1240 }),
        })
        .meta({ id: "JobHistory" }),
    ),
    count,
  }),
});

export const listFailedWork = operation({
  id: "listFailedWork",
  method: "GET",
  path: "/api/admin/failed-work",
  summary: "List what has failed for good",
  description:
    "Kinds of work that nobody tries again by itself, each with how much of it there is; empty when all is well.",
  ...administrators,
  status: 200,
  output: z.object({
    success,
    data: z.array(
      z
        .object({
          kind: z.string().meta({ example: "mails" }),
          count,
          since: timestamp.nullable(),
          last_error: lastError,
          /** Where the panel shows it one by one. */
          page: z.string().nullable().meta({ example: "/admin/mails?state=failed" }),
          /** Whether it can be tried again from here. */
          retryable: z.boolean(),
        })
        .meta({ id: "FailedWork" }),
    ),
    count,
  }),
});

export const retryFailedWork = operation({
  id: "retryFailedWork",
  method: "POST",
  path: "/api/admin/failed-work",
  summary: "Try failed work of one kind again",
  description: `The oldest ${RETRIED_MAX} of them. 422 for a kind that cannot be tried again.`,
  ...administrators,
  limit: sixtyAMinute,
  body: z.object({ kind: line({ max: 100 }).meta({ example: "mails" }) }),
  errors: ["work_not_retried"],
  status: 200,
  output: z.object({ success, message, count }),
});
