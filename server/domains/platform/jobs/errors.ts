import type { ErrorSpecs } from "@/server/core/errors";

export const jobErrors = {
  job_running: { status: 409, shape: "failure" },
  /** The job is waiting. Only a failed job can be retried or given up. */
  job_waits: { status: 422, shape: "failure" },
  job_given_up: { status: 422, shape: "failure" },
  /** No recurring job has this task. */
  job_unknown: { status: 422, shape: "failure" },
  /** Failed work of this kind cannot be retried. */
  work_not_retried: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
