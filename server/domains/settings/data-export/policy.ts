/** Hours for which a mailed link works. */
export const EXPORT_HOURS = 24;
