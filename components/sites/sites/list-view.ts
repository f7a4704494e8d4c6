import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers, parseAsRecordId } from "@/components/api/list-parsers";

export const siteParsers = {
  ...listParsers(["name", "-name", "domain", "-domain", "created_at", "-created_at"], "-created_at"),
  is_active: parseAsStringLiteral(["true", "false"]),
  user_id: parseAsRecordId,
};

const { page: _, ...filters } = siteParsers;
const serializeCsvUrl = createSerializer(filters);

export function getCsvPath(view: inferParserType<typeof filters>): Route {
  return serializeCsvUrl("/api/sites.csv", view) as Route;
}
