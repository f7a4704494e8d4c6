export const EXPORT_HOURS = 24;
