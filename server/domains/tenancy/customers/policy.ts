/** The orders of the list of customers. */
export const SORTS = ["name", "-name", "email", "-email", "created_at", "-created_at"] as const;
export type Sort = (typeof SORTS)[number];

/** The most customers that come without a page. */
export const CUSTOMERS_MAX = 10_000;
