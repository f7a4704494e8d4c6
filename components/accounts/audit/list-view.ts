import type { Route } from "next";
import { createParser, createSerializer, type inferParserType } from "nuqs/server";
import { listParsers, parseAsDay, parseAsRecord } from "@/components/api/list-address";

/** A network address or a request id in an address; anything else is no filter. */
const parseAsMark = createParser({
  parse: (text) => (/^[\w.:-]{1,100}$/.test(text) ? text : null),
  serialize: (text) => text,
});

/** The log as the address describes it; the same on the server and in the browser. */
export const auditParsers = {
  ...listParsers(["at", "-at"], "-at"),
  ip: parseAsMark,
  request_id: parseAsMark,
  on_behalf_of: parseAsRecord,
  from: parseAsDay,
  to: parseAsDay,
};

/** Where all entries of a view are saved as a file. */
export function auditCsvPath(view: inferParserType<typeof auditParsers>): Route {
  const { page: _, ...filters } = auditParsers;
  return createSerializer(filters)("/api/admin/audit.csv", view) as Route;
}
