export const CHECKS = ["record", "address", "answer"] as const;
export const STATES = ["pending", "verified", "failing"] as const;

/** A verified domain is no longer verified after failing its checks for so many hours. */
export const FAILING_HOURS = 24;

/** A job verifies a failing domain again for so many days; afterwards the owner must check it in the panel. */
export const RETURN_DAYS = 7;
