import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-parsers";

export const snippetParsers = {
  ...listParsers(["title", "-title", "created_at", "-created_at"], "-created_at"),
  file: parseAsStringLiteral(["missing"]),
};
