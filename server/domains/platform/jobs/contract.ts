import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { count, createdAt, line, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { HISTORY_PERIODS, JOB_STATES } from "./policy";

/** Jobs that a search counts and shows pages of. */
export const JOBS_MAX = 10_000;

/** How much failed work one call has tried again. */
export const RETRIED_MAX = 100;

const TAG = "Jobs";
const administrators = { tag: TAG, access: "token", ability: "admin:*" } as const;
const sixtyAMinute = { points: 60, per: 60, by: "account" } as const;

const lastError = z
  .string()
  .nullable()
  .meta({ description: "Last error, without secrets; null if none.", example: "connect ECONNREFUSED" });

export const listJobs = operation({
  id: "listJobs",
  method: "GET",
  path: "/api/admin/jobs",
  summary: "List background jobs",
  description: `\`q\` is the ID of a job or a part of its task's name. The payload is never shown, and the last error is shown without secrets and addresses. At most ${JOBS_MAX} jobs are counted and shown.`,
  ...administrators,
  query: listFilter({
    sorts: ["created_at"],
    filters: {
      state: z
        .enum(JOB_STATES)
        .nullish()
        .meta({ description: "Only jobs in this state.", example: "given_up" }),
    },
  }).extend(pageQuery.shape),
  output: z.object({
    data: z
      .array(
        z
          .object({
            id: recordId,
            task: z.string().meta({ description: "Name of the task.", example: "deliver_mail" }),
            queue: z.string().nullable().meta({
              description: "Queue whose jobs run one after the other; null if none.",
              example: null,
            }),
            state: z.enum(JOB_STATES).meta({
              description: "State of the job. `retrying` runs again at `run_at`; `given_up` does not.",
            }),
            attempts: z.int().meta({ description: "Number of attempts.", example: 3 }),
            max_attempts: z.int().meta({ description: "Maximum number of attempts.", example: 25 }),
            last_error: lastError,
            run_at: timestamp.meta({ description: "When the job runs next." }),
            created_at: createdAt,
          })
          .meta({ id: "Job", description: "A job of the queue." }),
      )
      .meta({ description: "Jobs on this page." }),
    meta: PageMeta,
  }),
});

const one = {
  ...administrators,
  limit: sixtyAMinute,
  params: z.object({ id: pathId }),
  record: "Job",
  output: z.object({ success, message }),
} as const;

export const retryJob = operation({
  id: "retryJob",
  method: "POST",
  path: "/api/admin/jobs/{id}/retry",
  summary: "Run a failed job now",
  description:
    "Restarts the attempt count of a job that was given up. 409 while it runs, 422 when it has not failed.",
  ...one,
  errors: ["job_running", "job_waits"],
});

export const giveUpJob = operation({
  id: "giveUpJob",
  method: "POST",
  path: "/api/admin/jobs/{id}/give-up",
  summary: "Give up a failed job",
  description:
    "The job is not retried and stays in the list with its error. 409 while it runs, 422 when it has not failed or was " +
    "already given up.",
  ...one,
  errors: ["job_running", "job_waits", "job_given_up"],
});

export const listSchedule = operation({
  id: "listSchedule",
  method: "GET",
  path: "/api/admin/schedule",
  summary: "List recurring jobs",
  ...administrators,
  output: z.object({
    success,
    data: z
      .array(
        z
          .object({
            task: z.string().meta({ description: "Name of the task.", example: "forget_tokens" }),
            cron: z.string().meta({
              description: "Cron expression in UTC: minute, hour, day, month, weekday.",
              example: "17 * * * *",
            }),
            last_run_at: timestamp
              .nullable()
              .meta({ description: "When it last started on schedule; null if never." }),
          })
          .meta({ id: "RecurringJob", description: "A recurring job." }),
      )
      .meta({ description: "Recurring jobs." }),
    count,
  }),
});

export const runTask = operation({
  id: "runTask",
  method: "POST",
  path: "/api/admin/schedule",
  summary: "Run a recurring job now",
  description: "Does not add a second job when one is waiting. 422 for a task that does not recur.",
  ...administrators,
  limit: sixtyAMinute,
  body: z.object({
    task: line({ max: 100 }).meta({ description: "Name of the task.", example: "forget_tokens" }),
  }),
  errors: ["job_unknown"],
  output: z.object({ success, message }),
});

export const getJobHistory = operation({
  id: "getJobHistory",
  method: "GET",
  path: "/api/admin/jobs/history",
  summary: "Get the history of jobs",
  description:
    "Runs of each task in all processes, by most failures, then longest run: in the last 24 hours (`day`, the default) or " +
    "7 days (`week`), in whole hours. Durations are in milliseconds; runs of the last minute may be missing.",
  ...administrators,
  query: z.object({
    period: z
      .enum(HISTORY_PERIODS)
      .nullish()
      .meta({ description: "Period to cover; `day` when omitted.", example: "week" }),
  }),
  output: z.object({
    success,
    data: z
      .array(
        z
          .object({
            task: z.string().meta({ description: "Name of the task.", example: "deliver_mail" }),
            runs: z.int().meta({ description: "Number of runs.", example: 120 }),
            failures: z.int().meta({ description: "Number of failed runs.", example: 2 }),
            average_ms: z.int().meta({ description: "Average duration in milliseconds.", example: 85 }),
            longest_ms: z.int().meta({ description: "Longest duration in milliseconds.", example: 1240 }),
          })
          .meta({ id: "JobHistory", description: "Runs of a task." }),
      )
      .meta({ description: "Tasks with their runs." }),
    count,
  }),
});

export const listFailedWork = operation({
  id: "listFailedWork",
  method: "GET",
  path: "/api/admin/failed-work",
  summary: "List work that has failed for good",
  description:
    "Kinds of work that are no longer retried, each with its number; empty when nothing has failed.",
  ...administrators,
  output: z.object({
    success,
    data: z
      .array(
        z
          .object({
            kind: z.string().meta({ description: "Kind of work.", example: "mails" }),
            count: count.meta({ description: "Number of failed items." }),
            since: timestamp
              .nullable()
              .meta({ description: "When the oldest item failed; null if unknown." }),
            last_error: lastError,
            page: z.string().nullable().meta({
              description: "Page of the panel that lists the items; null if none.",
              example: "/admin/mails?state=failed",
            }),
            retryable: z.boolean().meta({ description: "True when the work can be retried with this API." }),
          })
          .meta({ id: "FailedWork", description: "Failed work of one kind." }),
      )
      .meta({ description: "Failed work by kind." }),
    count,
  }),
});

export const retryFailedWork = operation({
  id: "retryFailedWork",
  method: "POST",
  path: "/api/admin/failed-work",
  summary: "Retry failed work of one kind",
  description: `Retries the oldest ${RETRIED_MAX}. 422 for a kind that cannot be retried.`,
  ...administrators,
  limit: sixtyAMinute,
  body: z.object({ kind: line({ max: 100 }).meta({ description: "Kind of work.", example: "mails" }) }),
  errors: ["work_not_retried"],
  output: z.object({ success, message, count: count.meta({ description: "Number of retried items." }) }),
});
