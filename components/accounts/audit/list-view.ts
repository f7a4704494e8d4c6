import type { Route } from "next";
import { createParser, createSerializer, type inferParserType } from "nuqs/server";
import { createListParsers, parseAsDay, parseAsRecordId } from "@/components/api/list-parsers";

/** Parses an IP address or request ID; ignores anything else. */
const parseAsIdentifier = createParser({
  parse: (text) => (/^[\w.:-]{1,100}$/.test(text) ? text : null),
  serialize: (text) => text,
});

export const auditParsers = {
  ...createListParsers(["at", "-at"], "-at"),
  ip: parseAsIdentifier,
  request_id: parseAsIdentifier,
  on_behalf_of: parseAsRecordId,
  from: parseAsDay,
  to: parseAsDay,
};

export function buildAuditCsvPath(view: inferParserType<typeof auditParsers>): Route {
  const { page: _, ...filters } = auditParsers;
  return createSerializer(filters)("/api/admin/audit.csv", view) as Route;
}
