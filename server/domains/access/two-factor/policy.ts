export const RECOVERY_CODE_COUNT = 10;

/** With this number or fewer left, the panel suggests a new set. */
export const FEW_RECOVERY_CODES = 3;
