import type { Route } from "next";
import { createParser, createSerializer, type inferParserType } from "nuqs/server";
import { listParsers, parseAsDay, parseAsRecord } from "@/components/api/list-address";

/** Parses an IP address or request ID; ignores anything else. */
const parseAsMark = createParser({
  parse: (text) => (/^[\w.:-]{1,100}$/.test(text) ? text : null),
  serialize: (text) => text,
});

export const auditParsers = {
  ...listParsers(["at", "-at"], "-at"),
  ip: parseAsMark,
  request_id: parseAsMark,
  on_behalf_of: parseAsRecord,
  from: parseAsDay,
  to: parseAsDay,
};

export function auditCsvPath(view: inferParserType<typeof auditParsers>): Route {
  const { page: _, ...filters } = auditParsers;
  return createSerializer(filters)("/api/admin/audit.csv", view) as Route;
}
