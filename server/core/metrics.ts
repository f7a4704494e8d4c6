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
const durationHistogram = new Histogram({
  name: "tellal_request_seconds",
  help: "Duration of API requests",
  labelNames: ["operation"],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
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

export function collectProcessMetrics(): void {
  if (metricsRegistry.getSingleMetric("process_cpu_user_seconds_total")) return;
  collectDefaultMetrics({ register: metricsRegistry });
}
