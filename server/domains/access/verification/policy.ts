/** Time to undo a change, from the confirmation of the new address. */
export const UNDO_HOURS = 72;
export const VERIFICATION_HOURS = 24;
