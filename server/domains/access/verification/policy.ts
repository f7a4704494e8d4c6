/** How long the old address can undo a change, once the new one is proven. */
export const UNDO_HOURS = 72;
/** Life of a verification link and code. */
export const VERIFICATION_HOURS = 24;
