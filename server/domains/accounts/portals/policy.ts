/** Steps of a check, in their order. */
export const CHECKS = ["record", "address", "answer"] as const;
export const STATES = ["pending", "verified", "failing"] as const;

/** How long a proved domain may fail its checks before it counts no more, in hours. */
export const FAILING_HOURS = 24;

/** Days for which a failing domain returns by itself; after them its owner has to check it in the panel. */
export const RETURN_DAYS = 7;
