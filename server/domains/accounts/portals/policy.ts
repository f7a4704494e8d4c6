export const PORTAL_CHECKS = ["record", "address", "answer"] as const;
export const PORTAL_STATES = ["pending", "verified", "failing"] as const;

/** Hours of failed checks after which a domain is no longer verified. */
export const FAILING_HOURS = 24;

/** Days in which a job can verify a failing domain again; afterwards only the owner can. */
export const RECOVERY_DAYS = 7;
