/** Hours before an account recovery in which additions are suspect. */
export const SUSPECT_ADDITION_HOURS = 72;
