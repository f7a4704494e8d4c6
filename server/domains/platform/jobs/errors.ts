import type { ErrorSpecs } from "@/server/core/errors";

export const jobErrors = {
  job_running: { status: 409, shape: "failure" },
  /** The job has not failed. */
  job_waits: { status: 422, shape: "failure" },
  job_given_up: { status: 422, shape: "failure" },
  /** The task does not recur. */
  job_unknown: { status: 422, shape: "failure" },
  work_not_retried: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
