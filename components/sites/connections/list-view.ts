import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";
import { CHANNELS } from "@/server/domains/sites/connections/policy";

/** The list of connections as the address describes it; the same on the server and in the browser. */
export const connectionParsers = {
  ...listParsers(["label", "-label", "created_at", "-created_at"], "-created_at"),
  channel: parseAsStringLiteral(CHANNELS),
  state: parseAsStringLiteral(["active", "idle", "dead"]),
};
