/** Hours before a take-back in which additions are in doubt. */
export const ADDITION_HOURS = 72;
