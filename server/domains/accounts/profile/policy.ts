export const PLATFORM_MODULES = ["appointment", "saas"] as const;

export const DATE_FORMATS = ["auto", "dmy", "mdy", "ymd"] as const;
export const HOUR_CYCLES = ["auto", "h23", "h12"] as const;
export const WEEK_STARTS = ["auto", "monday", "saturday", "sunday"] as const;
