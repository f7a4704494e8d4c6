import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-parsers";

export const LICENCE_STATES = ["pending", "active"] as const;

export const licenceParsers = {
  ...listParsers(["due", "-due", "period_end", "-period_end"], "due"),
  status: parseAsStringLiteral(LICENCE_STATES),
};
