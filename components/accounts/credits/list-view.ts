import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";

/** Why credits move, as the API names it. */
export const REASONS = ["welcome", "usage", "admin_adjust", "refund"] as const;

/** The ledger as the address describes it. */
export const creditParsers = {
  ...listParsers(["created_at", "-created_at"], "-created_at"),
  reason: parseAsStringLiteral(REASONS),
};

const { page: _page, q: _q, ...filters } = creditParsers;
const csvAddress = createSerializer(filters);

/** Where all entries of a view are saved as a file. */
export function csvPath(view: inferParserType<typeof filters>): Route {
  return csvAddress("/api/user/credits.csv", view) as Route;
}
