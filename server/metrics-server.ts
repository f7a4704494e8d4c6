import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Gauge } from "prom-client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { isAppError } from "./core/errors";
import { log } from "./core/log";
import { collectProcessMetrics, metricsRegistry } from "./core/metrics";
import { measureGauges, runHealthChecks } from "./domains/platform/health/service/check";

/** Help texts by metric. Names get the prefix `tellal_`; values are measured on each request. */
export const METRIC_DESCRIPTIONS = {
  jobs_waiting: "Jobs that are due but have not run",
  jobs_oldest_seconds: "Seconds for which the oldest waiting job has been due",
  mails_late: "Mails that have waited for more than 15 minutes",
  mails_failed_today: "Mails that failed for good within the last 24 hours",
  storage_free_bytes: "Free space of the data directory",
  backup_age_seconds: "Seconds since the last backup",
  redis_up: "1 if Redis responds, otherwise 0",
};

interface MetricsOptions {
  host: string;
  port: number;
  pages?: { metrics(): Promise<string | undefined> };
}

/** Serves `/metrics`, `/metrics/pages` (the page renderer) and `/health` on a private port. */
export async function startMetricsServer({ host, port, pages }: MetricsOptions): Promise<Server> {
  collectProcessMetrics();
  const server = createServer((req, res) => {
    respond(req, res, pages).catch((cause: unknown) => {
      log.error({ event: "metrics.failed", cause });
      if (res.headersSent) res.destroy();
      else res.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ host, port }, resolve));
  return server;
}

async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  pages: MetricsOptions["pages"],
): Promise<void> {
  if (req.url === "/health") return sendHealth(res);
  if (req.url === "/metrics/pages") {
    const pageMetrics = await pages?.metrics();
    return void res
      .writeHead(pageMetrics ? 200 : 503, { "content-type": metricsRegistry.contentType })
      .end(pageMetrics);
  }
  if (req.url !== "/metrics") return void res.writeHead(404).end();
  const values = await measureGauges(withoutTransaction());
  for (const [key, help] of Object.entries(METRIC_DESCRIPTIONS)) {
    const name = `tellal_${key}`;
    metricsRegistry.removeSingleMetric(name);
    // Omit a metric that cannot be measured: 0 would be wrong.
    if (key in values) new Gauge({ name, help, registers: [metricsRegistry] }).set(values[key]!);
  }
  res.writeHead(200, { "content-type": metricsRegistry.contentType }).end(await metricsRegistry.metrics());
}

async function sendHealth(res: ServerResponse): Promise<void> {
  const [status, body] = await runHealthChecks(withoutTransaction()).then(
    (state) => [200, state] as const,
    (error: unknown) => [503, isAppError(error) ? error.fields : { status: "failing" }] as const,
  );
  res.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}
