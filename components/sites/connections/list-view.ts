import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-parsers";
import { CHANNELS } from "@/server/domains/sites/connections/policy";

export const connectionParsers = {
  ...listParsers(["label", "-label", "created_at", "-created_at"], "-created_at"),
  channel: parseAsStringLiteral(CHANNELS),
  state: parseAsStringLiteral(["active", "idle", "dead"]),
};
