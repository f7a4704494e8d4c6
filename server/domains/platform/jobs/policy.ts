/** `retrying` has failed and is retried automatically, `given_up` is not. */
export const JOB_STATES = ["waiting", "running", "retrying", "given_up"] as const;

export const HISTORY_PERIODS = ["day", "week", "month", "quarter"] as const;

export const HISTORY_RETENTION_DAYS = 90;
