export const CHECKS = ["record", "address", "answer"] as const;
export const STATES = ["pending", "verified", "failing"] as const;

/** A verified domain is no longer verified after failing its checks for so many hours. */
export const FAILING_HOURS = 24;

/** Days in which a job can verify a failing domain again; afterwards only the owner can. */
export const RECOVERY_DAYS = 7;
