export const UNDO_HOURS = 72;
export const VERIFICATION_HOURS = 24;
