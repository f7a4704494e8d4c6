export const EXPORT_LINK_HOURS = 24;
