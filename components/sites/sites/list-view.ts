import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { createListParsers, parseAsRecordId } from "@/components/api/list-parsers";

export const siteParsers = {
  ...createListParsers(["name", "-name", "domain", "-domain", "created_at", "-created_at"], "-created_at"),
  is_active: parseAsStringLiteral(["true", "false"]),
  user_id: parseAsRecordId,
};

const { page: _, ...filterParsers } = siteParsers;
const serializeCsvUrl = createSerializer(filterParsers);

export function getCsvPath(view: inferParserType<typeof filterParsers>): Route {
  return serializeCsvUrl("/api/sites.csv", view) as Route;
}
