export const PORTAL_CHECKS = ["record", "address", "answer"] as const;
export const PORTAL_STATES = ["pending", "verified", "failing"] as const;

/** Hours of failed checks after which a domain is no longer verified. */
export const MAX_FAILING_HOURS = 24;

/** Days of failures after which only the owner, and no job, can verify a domain again. */
export const AUTO_RECOVERY_DAYS = 7;
