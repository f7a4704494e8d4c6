import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { lazyValue } from "./lazy-value";

/** Prometheus metrics, served on METRICS_PORT. */
export const metricsRegistry = new Registry();

const requestCounter = new Counter({
  name: "tellal_requests_total",
  help: "API requests by operation and status",
  labelNames: ["operation", "status"],
  registers: [metricsRegistry],
});
/** Limits of the duration histogram in seconds. */
export const REQUEST_DURATION_LIMITS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

const durationHistogram = new Histogram({
  name: "tellal_request_seconds",
  help: "Duration of API requests",
  labelNames: ["operation"],
  buckets: REQUEST_DURATION_LIMITS,
  registers: [metricsRegistry],
});

/** Statuses whose series start at 0 with the first request of an operation. */
const FAILURE_STATUSES = [500, 503];
const initialisedOperations = lazyValue(() => new Set<string>());

export function countRequest(operation: string, status: number, durationMs: number): void {
  // Prometheus shows no increase for a series that starts with its first failure.
  if (!initialisedOperations().has(operation)) {
    initialisedOperations().add(operation);
    for (const failure of FAILURE_STATUSES) requestCounter.inc({ operation, status: failure }, 0);
  }
  requestCounter.inc({ operation, status });
  durationHistogram.observe({ operation }, durationMs / 1000);
}

/** Requests of this process since its start, over all operations. */
export interface RequestTotals {
  /** Number of requests by status. */
  byStatus: Map<number, number>;
  /** Number of requests by duration: one per limit of the histogram, and one for longer requests. */
  durations: number[];
}

export async function readRequestTotals(): Promise<RequestTotals> {
  const byStatus = new Map<number, number>();
  for (const { labels, value } of (await requestCounter.get()).values) {
    const status = Number(labels.status);
    byStatus.set(status, (byStatus.get(status) ?? 0) + value);
  }
  // The histogram is cumulative: each limit counts all shorter requests.
  const withinLimit = new Array<number>(REQUEST_DURATION_LIMITS.length + 1).fill(0);
  for (const { labels, value, metricName } of (await durationHistogram.get()).values) {
    if (!metricName?.endsWith("_bucket")) continue;
    const index = REQUEST_DURATION_LIMITS.indexOf(Number((labels as { le?: string | number }).le));
    withinLimit[index < 0 ? REQUEST_DURATION_LIMITS.length : index]! += value;
  }
  return { byStatus, durations: withinLimit.map((count, index) => count - (withinLimit[index - 1] ?? 0)) };
}

export function collectProcessMetrics(): void {
  if (metricsRegistry.getSingleMetric("process_cpu_user_seconds_total")) return;
  collectDefaultMetrics({ register: metricsRegistry });
}
