import { parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";
import { MAIL_STATES } from "@/server/domains/platform/mail/policy";

export const mailParsers = {
  ...createListParsers(["created_at", "-created_at"], "-created_at"),
  state: parseAsStringLiteral(MAIL_STATES),
};
