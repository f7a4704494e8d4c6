import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";

/** The states of a licence that somebody pays for, as the API names them. */
export const LICENCE_STATES = ["pending", "active"] as const;

/** The licences of a reseller as the address describes them. */
export const licenceParsers = {
  ...listParsers(["due", "-due", "period_end", "-period_end"], "due"),
  status: parseAsStringLiteral(LICENCE_STATES),
};
