/** The lists of the panel that views can be saved of. */
export const LISTS = [
  "users",
  "audit",
  "mails",
  "subscriptions",
  "payments",
  "licences",
  "invoices",
  "sites",
  "connections",
  "customers",
] as const;
export type SavedList = (typeof LISTS)[number];

/** The most views of one list that an account keeps. */
export const VIEWS_MAX = 20;
export const NAME_MAX = 60;
/** Letters of a view's filters, as they stand in an address. */
export const QUERY_MAX = 1000;

/**
 * What narrows and orders a list, as an address has it: without the page, which is another one tomorrow, and in one order,
 * so that the same view is the same text. Filters that a later release no longer knows stay, and narrow nothing.
 */
export function canonicalQuery(query: string): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of [...params]) if (name === "page" || !value) params.delete(name);
  params.sort();
  return params.toString();
}
