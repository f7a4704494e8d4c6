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
export type Failure = (typeof FAILURES)[number];
