import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-parsers";
import { DELIVERY_STATES } from "@/server/domains/accounts/webhooks/policy";
import type { EventType } from "./types";

export const buildDeliveryParsers = (types: readonly EventType[]) => ({
  ...listParsers(["-created_at"], "-created_at"),
  state: parseAsStringLiteral(DELIVERY_STATES),
  type: parseAsStringLiteral(types),
});
