export const RECOVERY_CODES = 10;

/** At this number or fewer, the panel suggests a new set. */
export const FEW_RECOVERY_CODES = 3;
