import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { createListParsers, parseAsDay, parseAsRecordId } from "@/components/api/list-parsers";
import { ROLES } from "./types";

const BOOLEAN_VALUES = ["true", "false"] as const;

export const userListParsers = {
  ...createListParsers(["email", "-email", "created_at", "-created_at"], "-created_at"),
  role: parseAsStringLiteral(ROLES),
  is_active: parseAsStringLiteral(BOOLEAN_VALUES),
  verified: parseAsStringLiteral(BOOLEAN_VALUES),
  two_factor: parseAsStringLiteral(BOOLEAN_VALUES),
  protected: parseAsStringLiteral(BOOLEAN_VALUES),
  reseller_id: parseAsRecordId,
  anonymised: parseAsStringLiteral(["true"]),
  created_from: parseAsDay,
  created_to: parseAsDay,
};

export function buildUsersCsvPath(view: inferParserType<typeof userListParsers>): Route {
  const { page: _, ...filters } = userListParsers;
  return createSerializer(filters)("/api/admin/users.csv", view) as Route;
}
