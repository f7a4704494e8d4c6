import { parseAsStringLiteral } from "nuqs/server";
import { createListParsers } from "@/components/api/list-parsers";
import { JOB_STATES } from "@/server/domains/platform/jobs/policy";

export const jobParsers = {
  ...createListParsers(["created_at", "-created_at"], "-created_at"),
  state: parseAsStringLiteral(JOB_STATES),
};
