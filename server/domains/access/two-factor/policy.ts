/** Recovery codes per set; a new set voids the old one. */
export const RECOVERY_CODES = 10;

/** At this number of recovery codes or fewer, the panel suggests a new set. */
export const FEW_RECOVERY_CODES = 3;
