export const GRACE_MAX_MINUTES = 10_080;
