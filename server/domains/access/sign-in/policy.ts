/** Life of a reset link. */
export const RESET_MINUTES = 60;
