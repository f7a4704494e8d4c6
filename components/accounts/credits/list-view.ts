import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";

export const REASONS = ["welcome", "usage", "admin_adjust", "refund"] as const;

export const creditParsers = {
  ...listParsers(["created_at", "-created_at"], "-created_at"),
  reason: parseAsStringLiteral(REASONS),
};

const { page: _page, q: _q, ...filters } = creditParsers;
const csvAddress = createSerializer(filters);

export function csvPath(view: inferParserType<typeof filters>): Route {
  return csvAddress("/api/user/credits.csv", view) as Route;
}
