import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";
import { CUSTOMER_SORTS, CUSTOMER_STATES } from "@/server/domains/tenancy/customers/policy";

export const customerListParsers = {
  ...createListParsers(CUSTOMER_SORTS, "-created_at"),
  state: parseAsStringLiteral(CUSTOMER_STATES),
  /** Only in saved views and links of older releases; `state` replaces it. */
  is_active: parseAsStringLiteral(["true", "false"]),
};

const { page: _, ...filterParsers } = customerListParsers;
const serializeFilters = createSerializer(filterParsers, { urlKeys: { q: "search" } });

export function buildCustomersCsvPath(view: inferParserType<typeof filterParsers>): Route {
  return serializeFilters("/api/reseller/customers.csv", view) as Route;
}

/** The API calls the search parameter `search`. */
export function toCustomerQuery<View extends { q: string | null }>({ q, ...view }: View) {
  return { ...view, search: q };
}
