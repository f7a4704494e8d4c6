/** Maximum grace period of a replaced key: a week. */
export const GRACE_MAX_MINUTES = 10_080;
