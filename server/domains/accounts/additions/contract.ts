/** When an account is taken back from an intruder, additions of the last hours are suspect. */
export const ADDITION_HOURS = 72;
