/** Hours before an account recovery in which additions are suspect. */
export const SUSPECT_HOURS = 72;
