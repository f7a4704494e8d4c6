import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";
import { ROLES } from "./types";

/** The list of accounts as the address describes it; the same on the server and in the browser. */
export const userParsers = {
  ...listParsers(["email", "-email", "created_at", "-created_at"], "-created_at"),
  role: parseAsStringLiteral(ROLES),
  is_active: parseAsStringLiteral(["true", "false"]),
};
