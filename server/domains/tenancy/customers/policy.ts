export const SORTS = ["name", "-name", "email", "-email", "created_at", "-created_at"] as const;
export type Sort = (typeof SORTS)[number];

/** Maximum number of customers in a list without pages. */
export const CUSTOMERS_MAX = 10_000;

/** Days an invitation is valid after its latest mail. */
export const INVITATION_DAYS = 7;

/** Maximum characters of a note, and notes per customer. */
export const NOTE_MAX = 2000;
export const NOTES_MAX = 200;
