export const RECOVERY_CODES = 10;

/** The panel then suggests a new set. */
export const FEW_RECOVERY_CODES = 3;
