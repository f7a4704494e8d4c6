import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";

export const CREDIT_REASONS = ["welcome", "usage", "admin_adjust", "refund"] as const;

export const creditParsers = {
  ...createListParsers(["created_at", "-created_at"], "-created_at"),
  reason: parseAsStringLiteral(CREDIT_REASONS),
};

const { page: _page, q: _q, ...filters } = creditParsers;
const serializeCsvUrl = createSerializer(filters);

export function buildCreditsCsvPath(view: inferParserType<typeof filters>): Route {
  return serializeCsvUrl("/api/user/credits.csv", view) as Route;
}
