export const CUSTOMER_SORTS = ["name", "-name", "email", "-email", "created_at", "-created_at"] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

/** Each customer has the first state that applies, from the last to the first. */
export const CUSTOMER_STATES = ["active", "past_due", "offline", "deactivated"] as const;
export type CustomerState = (typeof CUSTOMER_STATES)[number];

export const LISTED_CUSTOMERS_MAX = 10_000;

export const INVITATION_DAYS = 7;

export const NOTE_MAX_LENGTH = 2000;
export const NOTES_PER_CUSTOMER_MAX = 200;
