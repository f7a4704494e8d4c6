import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { byId, count, createdAt, recordId, textLine, timestamp } from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { HISTORY_PERIODS, HISTORY_RETENTION_DAYS, JOB_STATES } from "./policy";

export const JOBS_MAX = 10_000;

export const RETRIED_ITEMS_MAX = 100;

const TAG = "Jobs";
const ADMIN_OPERATION = { tag: TAG, access: "token", ability: "admin:*" } as const;
const ACTION_LIMIT = { points: 60, per: 60, by: "account" } as const;

const lastError = f.nullable(
  z.string(),
  "Last error, without secrets; null if none.",
  "connect ECONNREFUSED",
);

export const listJobs = operation({
  id: "listJobs",
  method: "GET",
  path: "/api/admin/jobs",
  summary: "List background jobs",
  description: `\`q\` is the ID of a job or a part of its task's name. Payloads are never shown; errors are shown without secrets and addresses. At most ${JOBS_MAX} jobs are counted and shown.`,
  ...ADMIN_OPERATION,
  query: listFilter({
    sorts: ["created_at"],
    filters: {
      state: f.nullish(z.enum(JOB_STATES), "Only jobs in this state.", "given_up"),
    },
  }).extend(pageQuery.shape),
  output: z.object({
    data: f.list(
      f.namedObject("Job", "A job of the queue.", {
        id: recordId,
        task: f.text("Name of the task.", "deliver_mail"),
        queue: f.nullable(z.string(), "Queue of jobs that run one after the other; null if none.", null),
        state: f.oneOf(
          JOB_STATES,
          "State of the job. `waiting`: not failed yet. `retrying`: failed, and runs again at `run_at`. `given_up`: failed, and does not run again.",
          "retrying",
        ),
        attempts: f.integer("Number of attempts.", 3),
        max_attempts: f.integer("Maximum number of attempts.", 25),
        last_error: lastError,
        run_at: timestamp.meta({
          description: "When the job runs next.",
          example: "2027-11-20T09:45:00.000000Z",
        }),
        created_at: createdAt,
      }),
      "Jobs on this page.",
    ),
    meta: PageMeta,
  }),
});

const JOB_ACTION = {
  ...ADMIN_OPERATION,
  limit: ACTION_LIMIT,
  ...byId("Job"),
  output: f.changeOutput(),
} as const;

export const retryJob = operation({
  id: "retryJob",
  method: "POST",
  path: "/api/admin/jobs/{id}/retry",
  summary: "Run a failed job now",
  description:
    "If the job was given up, its attempt count restarts. Returns 409 (`job_running`) while the job runs, and 422 " +
    "(`job_waits`) if it has not failed.",
  ...JOB_ACTION,
  errors: ["job_running", "job_waits"],
});

export const giveUpJob = operation({
  id: "giveUpJob",
  method: "POST",
  path: "/api/admin/jobs/{id}/give-up",
  summary: "Give up a failed job",
  description:
    "The job stays in the list with its error and is not retried. Returns 409 (`job_running`) while the job runs, and " +
    "422 if it has not failed (`job_waits`) or was already given up (`job_given_up`).",
  ...JOB_ACTION,
  errors: ["job_running", "job_waits", "job_given_up"],
});

export const listSchedule = operation({
  id: "listSchedule",
  method: "GET",
  path: "/api/admin/schedule",
  summary: "List recurring jobs",
  ...ADMIN_OPERATION,
  output: f.success({
    data: f.list(
      f.namedObject("RecurringJob", "A recurring job.", {
        task: f.text("Name of the task.", "forget_tokens"),
        cron: f.text("Cron expression in UTC: minute, hour, day, month, weekday.", "17 * * * *"),
        last_run_at: f.nullable(timestamp, "When it last started on schedule; null if never."),
      }),
      "Recurring jobs.",
    ),
    count,
  }),
});

export const runTask = operation({
  id: "runTask",
  method: "POST",
  path: "/api/admin/schedule",
  summary: "Run a recurring job now",
  description:
    "If such a job is already waiting, no second one is added. Returns 422 (`job_unknown`) for a task that does not recur.",
  ...ADMIN_OPERATION,
  limit: ACTION_LIMIT,
  body: z.object({
    task: textLine({ max: 100 }).meta({ description: "Name of the task.", example: "forget_tokens" }),
  }),
  errors: ["job_unknown"],
  output: f.changeOutput(),
});

export const getJobHistory = operation({
  id: "getJobHistory",
  method: "GET",
  path: "/api/admin/jobs/history",
  summary: "Get the history of jobs",
  description:
    "Returns the runs of each task in all processes, for the last 24 hours (`day`, the default), 7 days (`week`), 30 days " +
    "(`month`) or 90 days (`quarter`), in whole quarters of an hour. Tasks with the most failures come first, then those " +
    "with the longest run. Runs of the last minute may be missing.",
  ...ADMIN_OPERATION,
  query: z.object({
    period: f.nullish(z.enum(HISTORY_PERIODS), "Period to cover; `day` when omitted.", "week"),
  }),
  output: f.success({
    data: f.list(
      f.namedObject("JobHistory", "Runs of a task.", {
        task: f.text("Name of the task.", "deliver_mail"),
        runs: f.integer("Number of runs.", 120),
        failures: f.integer("Number of failed runs.", 2),
        average_ms: f.integer("Average duration in milliseconds.", 85),
        longest_ms: f.integer("Longest duration in milliseconds.", 1240),
      }),
      "Tasks with their runs.",
    ),
    count,
  }),
});

export const JOB_PERIODS = ["24h", "7d", "30d", "90d"] as const;

export const getJobSeries = operation({
  id: "getJobSeries",
  method: "GET",
  path: "/api/admin/jobs/series",
  summary: "Get runs of jobs over time",
  description:
    "Counts the runs of all processes by quarters of an hour; runs of the last minute may be missing. Statistics are " +
    `deleted after ${HISTORY_RETENTION_DAYS} days.`,
  ...ADMIN_OPERATION,
  query: seriesQuery({
    periods: JOB_PERIODS,
    filters: {
      task: f.nullish(textLine({ max: 100 }), "Only runs of this task.", "deliver_mail"),
    },
  }),
  output: f.success({
    data: series("JobSeries", "Runs of jobs over time.", {
      succeeded: "runs that succeeded.",
      failed: "runs that failed.",
      average_ms: "average duration of a run; null without runs.",
      longest_ms: "longest duration of a run; null without runs.",
    }),
  }),
});

export const listFailedWork = operation({
  id: "listFailedWork",
  method: "GET",
  path: "/api/admin/failed-work",
  summary: "List permanently failed work",
  description:
    "Lists kinds of work with items that are no longer retried automatically. Empty when nothing has failed.",
  ...ADMIN_OPERATION,
  output: f.success({
    data: f.list(
      f.namedObject("FailedWork", "Failed work of one kind.", {
        kind: f.text("Kind of work.", "mails"),
        count: count.meta({ description: "Number of failed items." }),
        since: f.nullable(timestamp, "When the oldest item failed; null if unknown."),
        last_error: lastError,
        page: f.nullable(
          z.string(),
          "Page of the panel that lists the items; null if none.",
          "/admin/mails?state=failed",
        ),
        retryable: f.boolean("True when the work can be retried with this API."),
      }),
      "Failed work by kind.",
    ),
    count,
  }),
});

export const retryFailedWork = operation({
  id: "retryFailedWork",
  method: "POST",
  path: "/api/admin/failed-work",
  summary: "Retry failed work of one kind",
  description: `Retries at most ${RETRIED_ITEMS_MAX} items, oldest first. Returns 422 (\`work_not_retried\`) for a kind that cannot be retried.`,
  ...ADMIN_OPERATION,
  limit: ACTION_LIMIT,
  body: z.object({ kind: textLine({ max: 100 }).meta({ description: "Kind of work.", example: "mails" }) }),
  errors: ["work_not_retried"],
  output: f.changeOutput({ count: count.meta({ description: "Number of retried items." }) }),
});
