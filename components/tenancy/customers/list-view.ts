import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";
import { SORTS } from "@/server/domains/tenancy/customers/policy";

/** Parameters of the customer list in the URL, shared by server and browser. */
export const customerParsers = {
  ...listParsers(SORTS, "-created_at"),
  is_active: parseAsStringLiteral(["true", "false"]),
};

const { page: _, ...filters } = customerParsers;
const serializeFilters = createSerializer(filters, { urlKeys: { q: "search" } });

export function csvPath(view: inferParserType<typeof filters>): Route {
  return serializeFilters("/api/reseller/customers.csv", view) as Route;
}

/** The API calls the search parameter `search`. */
export function customerQuery<V extends { q: string | null }>({ q, ...view }: V) {
  return { ...view, search: q };
}
