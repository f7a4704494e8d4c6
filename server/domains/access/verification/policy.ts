/** Lifetime of the link that undoes a change of address. */
export const UNDO_HOURS = 72;
/** Lifetime of the link and the code in a verification mail. */
export const VERIFICATION_HOURS = 24;
