import { parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";

export const snippetParsers = {
  ...createListParsers(["title", "-title", "created_at", "-created_at"], "-created_at"),
  file: parseAsStringLiteral(["missing"]),
};
