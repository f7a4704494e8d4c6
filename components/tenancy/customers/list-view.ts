import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";
import { SORTS } from "@/server/domains/tenancy/customers/policy";

/** The list of customers as the address describes it; the same on the server and in the browser. */
export const customerParsers = {
  ...listParsers(SORTS, "-created_at"),
  is_active: parseAsStringLiteral(["true", "false"]),
};

const { page: _, ...filters } = customerParsers;
const csvAddress = createSerializer(filters, { urlKeys: { q: "search" } });

/** Where the same customers are a file. */
export function csvPath(view: inferParserType<typeof filters>): Route {
  return csvAddress("/api/reseller/customers.csv", view) as Route;
}

/** The API searches by `search`. */
export function customerQuery<V extends { q: string | null }>({ q, ...view }: V) {
  return { ...view, search: q };
}
