/** Hours that the link works and the file is kept. */
export const EXPORT_HOURS = 24;
