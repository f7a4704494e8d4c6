import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers, parseAsDay, parseAsRecord } from "@/components/api/list-address";
import { ROLES } from "./types";

const FLAGS = ["true", "false"] as const;

/** The list of accounts as the address describes it; the same on the server and in the browser. */
export const userParsers = {
  ...listParsers(["email", "-email", "created_at", "-created_at"], "-created_at"),
  role: parseAsStringLiteral(ROLES),
  is_active: parseAsStringLiteral(FLAGS),
  verified: parseAsStringLiteral(FLAGS),
  two_factor: parseAsStringLiteral(FLAGS),
  protected: parseAsStringLiteral(FLAGS),
  reseller_id: parseAsRecord,
  anonymised: parseAsStringLiteral(["true"]),
  created_from: parseAsDay,
  created_to: parseAsDay,
};

/** Where all accounts of a view are saved as a file. */
export function usersCsvPath(view: inferParserType<typeof userParsers>): Route {
  const { page: _, ...filters } = userParsers;
  return createSerializer(filters)("/api/admin/users.csv", view) as Route;
}
