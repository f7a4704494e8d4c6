/** Codes of one set; a new set voids the old one. */
export const RECOVERY_CODES = 10;
