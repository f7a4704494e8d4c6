/** Where a job stands: `retrying` has failed and is tried again by itself, `given_up` is not. */
export const JOB_STATES = ["waiting", "running", "retrying", "given_up"] as const;

/** What a look back at the runs of jobs covers. */
export const HISTORY_PERIODS = ["day", "week"] as const;
