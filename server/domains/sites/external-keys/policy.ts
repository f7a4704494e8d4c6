/** The longest that a replaced key may live on: a week. */
export const GRACE_MAX_MINUTES = 10_080;
