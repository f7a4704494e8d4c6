import { parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";
import { DELIVERY_STATES } from "@/server/domains/accounts/webhooks/policy";
import type { EventType } from "./types";

export const buildDeliveryParsers = (eventTypes: readonly EventType[]) => ({
  ...createListParsers(["-created_at"], "-created_at"),
  state: parseAsStringLiteral(DELIVERY_STATES),
  type: parseAsStringLiteral(eventTypes),
});
