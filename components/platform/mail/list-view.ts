import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-parsers";
import { MAIL_STATES } from "@/server/domains/platform/mail/policy";

export const mailParsers = {
  ...listParsers(["created_at", "-created_at"], "-created_at"),
  state: parseAsStringLiteral(MAIL_STATES),
};
