/** The orders of the list of customers. */
export const SORTS = ["name", "-name", "email", "-email", "created_at", "-created_at"] as const;
export type Sort = (typeof SORTS)[number];

/** The most customers that come without a page. */
export const CUSTOMERS_MAX = 10_000;

/** How long an invitation is good for. */
export const INVITATION_DAYS = 7;

/** Characters of a note, and notes about one customer. */
export const NOTE_MAX = 2000;
export const NOTES_MAX = 200;
