import { parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";
import { MEDIA_KINDS } from "@/server/domains/sites/media/policy";

export const mediaParsers = {
  ...createListParsers(["name", "-name", "size", "-size", "created_at", "-created_at"], "-created_at"),
  kind: parseAsStringLiteral(MEDIA_KINDS),
  used: parseAsStringLiteral(["true", "false"]),
};
