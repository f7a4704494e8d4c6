import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers, parseAsRecord } from "@/components/api/list-address";

export const siteParsers = {
  ...listParsers(["name", "-name", "domain", "-domain", "created_at", "-created_at"], "-created_at"),
  is_active: parseAsStringLiteral(["true", "false"]),
  user_id: parseAsRecord,
};

const { page: _, ...filters } = siteParsers;
const csvAddress = createSerializer(filters);

export function csvPath(view: inferParserType<typeof filters>): Route {
  return csvAddress("/api/sites.csv", view) as Route;
}
