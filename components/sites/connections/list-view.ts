import { parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";
import { CHANNELS } from "@/server/domains/sites/connections/policy";

export const connectionParsers = {
  ...createListParsers(["label", "-label", "created_at", "-created_at"], "-created_at"),
  channel: parseAsStringLiteral(CHANNELS),
  state: parseAsStringLiteral(["active", "idle", "dead"]),
};
