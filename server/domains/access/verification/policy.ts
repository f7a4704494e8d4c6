/** Hours in which the old address can undo a change, from its confirmation. */
export const UNDO_HOURS = 72;
/** Lifetime of a verification link and code. */
export const VERIFICATION_HOURS = 24;
