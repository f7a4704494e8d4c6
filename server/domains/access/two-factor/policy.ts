/** Codes of one set; a new set voids the old one. */
export const RECOVERY_CODES = 10;

/** From this number of recovery codes down, a new set is suggested. */
export const FEW_RECOVERY_CODES = 3;
