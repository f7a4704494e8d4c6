import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers, parseAsRecord } from "@/components/api/list-address";

/** The list of sites as the address describes it; the same on the server and in the browser. */
export const siteParsers = {
  ...listParsers(["name", "-name", "domain", "-domain", "created_at", "-created_at"], "-created_at"),
  is_active: parseAsStringLiteral(["true", "false"]),
  /** An account: its sites alone. */
  user_id: parseAsRecord,
};

const { page: _, ...filters } = siteParsers;
const csvAddress = createSerializer(filters);

/** Where all sites of a view are saved as a file. */
export function csvPath(view: inferParserType<typeof filters>): Route {
  return csvAddress("/api/sites.csv", view) as Route;
}
