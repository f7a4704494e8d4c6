export const SEARCH_MIN_LENGTH = 2;
export const SEARCH_MAX_LENGTH = 100;
export const RESULTS_PER_KIND_MAX = 5;

/** Lists that the search looks through. */
export const SEARCHED_LISTS = ["sites", "customers", "users", "media", "snippets"] as const;

export const WAITING_ITEMS_MAX = 3;
export const DUE_INVOICE_DAYS = 2;
export const CUSTOMERS_AT_RISK_MAX = 5;
