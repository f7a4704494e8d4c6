import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getRequestSeries } from "./contract";
import { deleteRequestStatsJob } from "./jobs";
import { countRequestsOverTime } from "./service/series";

export const requests = domain({
  operations: { series: createHandler(getRequestSeries, countRequestsOverTime) },
  jobs: { forget_request_stats: job(deleteRequestStatsJob, { cron: "54 3 * * *", catchUp: "1d" }) },
});
