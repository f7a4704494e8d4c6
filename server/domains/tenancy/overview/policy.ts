export const SEARCH_MIN_LENGTH = 2;
export const SEARCH_MAX_LENGTH = 100;
export const RESULTS_PER_KIND_MAX = 5;

/** Lists that the search looks through. */
export const SEARCHED_LISTS = ["sites", "customers", "users", "media", "snippets"] as const;

export const WAITING_ITEMS_MAX = 3;
export const DUE_INVOICE_DAYS = 2;
export const CUSTOMERS_AT_RISK_MAX = 5;
/** Customers with unpaid licences that the reseller's overview lists. */
export const LICENCE_CUSTOMERS_MAX = 5;

/** Steps of a reseller's set-up, in their order. */
export const SETUP_STEPS = ["agreement", "brand", "portal", "mail", "customer"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];
export const SETUP_STATES = ["open", "started", "done"] as const;

export const OVERVIEW_SITES_MAX = 5;

export const CHANNEL_STATES = ["attention", "idle", "working"] as const;
export const CHANNEL_PROBLEMS = ["dead", "unreachable", "cleanup_failed"] as const;

/** Abilities of team agents. The services of the domains enforce them. */
export const AGENT_ABILITIES = {
  can: ["see_site", "media", "snippets"],
  cannot: ["change_site", "connections", "team", "billing"],
} as const;
