import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { series, seriesQuery } from "@/server/core/series";
import { REQUEST_P95_MAX_MS, REQUEST_STATS_RETENTION_DAYS } from "./policy";

export const REQUEST_PERIODS = ["24h", "7d", "30d", "90d"] as const;

export const getRequestSeries = operation({
  id: "getRequestSeries",
  method: "GET",
  path: "/api/admin/requests/series",
  tag: "Platform",
  access: "token",
  ability: "admin:*",
  summary: "Get API requests over time",
  description:
    "Counts the requests of all processes in steps of five minutes; those of the last minute may be missing. The quantile " +
    "is interpolated in a histogram, as Prometheus does. Statistics are deleted after " +
    `${REQUEST_STATS_RETENTION_DAYS} days.`,
  query: seriesQuery({ periods: REQUEST_PERIODS }),
  output: f.success({
    data: series("RequestSeries", "API requests over time.", {
      succeeded: "answered with 2xx or 3xx.",
      rejected: "answered with 4xx except 429.",
      throttled: "answered with 429.",
      failed: "answered with 5xx.",
      p95_ms: `duration that 95% of the requests do not exceed; ${REQUEST_P95_MAX_MS} also stands for longer ones. Null without requests.`,
    }),
  }),
});
