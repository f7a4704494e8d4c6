import { parseAsStringLiteral } from "nuqs/server";
import { listParsers } from "@/components/api/list-address";
import { HISTORY_PERIODS, JOB_STATES } from "@/server/domains/platform/jobs/policy";

/** The queue as the address describes it; the same on the server and in the browser. */
export const jobParsers = {
  ...listParsers(["created_at", "-created_at"], "-created_at"),
  state: parseAsStringLiteral(JOB_STATES),
};

/** Which look back at the runs of jobs the address asks for. */
export const historyParsers = { period: parseAsStringLiteral(HISTORY_PERIODS).withDefault("day") };
