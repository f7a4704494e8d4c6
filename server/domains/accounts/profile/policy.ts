/** Modules that this platform offers; an account may be restricted to some of them. */
export const PLATFORM_MODULES = ["appointment", "saas"] as const;

/** The order of day, month and year in dates of digits; `auto` is as the language writes them. */
export const DATE_FORMATS = ["auto", "dmy", "mdy", "ymd"] as const;
/** Whether hours go to 23, or twice to 12. */
export const HOUR_CYCLES = ["auto", "h23", "h12"] as const;
/** The first day of a week in calendars, and of what "this week" is. */
export const WEEK_STARTS = ["auto", "monday", "saturday", "sunday"] as const;
