import { parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";

export const BILLED_LICENCE_STATUSES = ["pending", "active"] as const;

export const billedLicenceParsers = {
  ...createListParsers(["due", "-due", "period_end", "-period_end"], "due"),
  status: parseAsStringLiteral(BILLED_LICENCE_STATUSES),
};
