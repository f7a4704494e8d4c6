export const CUSTOMER_SORTS = ["name", "-name", "email", "-email", "created_at", "-created_at"] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

export const LISTED_CUSTOMERS_MAX = 10_000;

export const INVITATION_DAYS = 7;

export const NOTE_MAX_LENGTH = 2000;
export const NOTES_PER_CUSTOMER_MAX = 200;
