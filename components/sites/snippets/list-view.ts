import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";

/** URL parameters of the list of snippets, for server and browser. */
export const snippetParsers = {
  ...listParsers(["title", "-title", "created_at", "-created_at"], "-created_at"),
  file: parseAsStringLiteral(["missing"]),
};
