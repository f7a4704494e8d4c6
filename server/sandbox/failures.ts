/**
 * `huge`: 10 MB. `slow`: after 5 seconds. `hang`: no response. `drip`: an endless body. `commit_then_reset`:
 * performs the call, then cuts the connection.
 */
export const FAILURES = [
  "unavailable",
  "too_many",
  "html",
  "huge",
  "slow",
  "hang",
  "drip",
  "reset",
  "commit_then_reset",
] as const;
export type FailureKind = (typeof FAILURES)[number];
