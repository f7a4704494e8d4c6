import type { Route } from "next";
import { createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { listParsers, parseAsDay, parseAsRecordId } from "@/components/api/list-parsers";
import { ROLES } from "./types";

const FLAGS = ["true", "false"] as const;

export const userParsers = {
  ...listParsers(["email", "-email", "created_at", "-created_at"], "-created_at"),
  role: parseAsStringLiteral(ROLES),
  is_active: parseAsStringLiteral(FLAGS),
  verified: parseAsStringLiteral(FLAGS),
  two_factor: parseAsStringLiteral(FLAGS),
  protected: parseAsStringLiteral(FLAGS),
  reseller_id: parseAsRecordId,
  anonymised: parseAsStringLiteral(["true"]),
  created_from: parseAsDay,
  created_to: parseAsDay,
};

export function usersCsvPath(view: inferParserType<typeof userParsers>): Route {
  const { page: _, ...filters } = userParsers;
  return createSerializer(filters)("/api/admin/users.csv", view) as Route;
}
