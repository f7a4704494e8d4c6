import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-parsers";
import { CUSTOMER_SORTS } from "@/server/domains/tenancy/customers/policy";

export const customerListParsers = {
  ...listParsers(CUSTOMER_SORTS, "-created_at"),
  is_active: parseAsStringLiteral(["true", "false"]),
};

const { page: _, ...filters } = customerListParsers;
const serializeFilters = createSerializer(filters, { urlKeys: { q: "search" } });

export function buildCustomersCsvPath(view: inferParserType<typeof filters>): Route {
  return serializeFilters("/api/reseller/customers.csv", view) as Route;
}

/** The API calls the search parameter `search`. */
export function toCustomerQuery<View extends { q: string | null }>({ q, ...view }: View) {
  return { ...view, search: q };
}
