import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";

/** The snippets as the address describes them; the same on the server and in the browser. */
export const snippetParsers = {
  ...listParsers(["title", "-title", "created_at", "-created_at"], "-created_at"),
  file: parseAsStringLiteral(["missing"]),
};
