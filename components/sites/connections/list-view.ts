import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";
import { CHANNELS } from "@/server/domains/sites/connections/policy";

/** URL parameters of the list of connections, for server and browser. */
export const connectionParsers = {
  ...listParsers(["label", "-label", "created_at", "-created_at"], "-created_at"),
  channel: parseAsStringLiteral(CHANNELS),
  state: parseAsStringLiteral(["active", "idle", "dead"]),
};
