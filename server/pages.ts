import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { env, exportEnvForLibraries } from "./core/env";
import { log } from "./core/log";
import { collectProcessMetrics, metricsRegistry } from "./core/metrics";
import { mapStacks } from "./core/stacks";
import { closeDatabase, openDatabase } from "./infrastructure/database/client";
import { ProcessHeartbeat } from "./infrastructure/process-heartbeat";
import { closeLimiter, connectLimiter } from "./infrastructure/rate-limit/limiter";
import { checkAppSecret } from "./infrastructure/secrets/fingerprint";
import { startTracing } from "./infrastructure/tracing/start-tracing";
import { withSpan } from "./infrastructure/tracing/trace";
import { exitWithError } from "./print-error";
import { exitOnUncaught } from "./supervised";
import { loadNext } from "./transports/pages/next-renderer";
import type { PagesCommand, PagesReport } from "./transports/pages/pages-process";
import { trustForwardedFor } from "./transports/request-origin";

/* Renders pages for `transports/pages/pages-process.ts`. The IPC channel closes when the server ends. */

const socketPath = process.argv[2]!;
/** Windows pipes are not files and vanish with their process. */
const IS_WINDOWS_PIPE = process.platform === "win32";

/** Resolves when the server reports that its database is up. */
const databaseUrlPromise = new Promise<string>((resolve) => {
  process.on("message", (message: PagesCommand) => {
    if (message === "measure") void sendMetrics();
    else resolve(message.databaseUrl);
  });
});

mapStacks();

async function start(): Promise<void> {
  exportEnvForLibraries(env());
  collectProcessMetrics();
  const stopTracing = await startTracing("pages");
  trustForwardedFor();
  const { handlePage, close } = await loadNext(env());
  // Next has overridden the stack formatting.
  mapStacks();
  openDatabase(await databaseUrlPromise);
  await Promise.all([checkAppSecret(), connectLimiter()]);
  const heartbeat = new ProcessHeartbeat("pages");
  heartbeat.start();
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (req, res) => {
    const span = { name: `${req.method} page`, kind: "server", parent: req.headers.traceparent } as const;
    withSpan(span, () => handlePage(req, res)).catch((cause: unknown) => {
      log.error({ event: "pages.failed", cause });
      if (res.headersSent) return res.destroy();
      res.writeHead(500).end();
    });
  });
  const stop = async () => {
    await Promise.allSettled([close(), closeLimiter(), heartbeat.stop().then(closeDatabase), stopTracing()]);
    process.exit(0);
  };
  if (!process.connected) return stop();
  // A killed process leaves its socket file.
  if (!IS_WINDOWS_PIPE) rmSync(socketPath, { force: true });
  server.listen(socketPath, () => sendToServer("ready"));
  process.once("disconnect", stop);
}

async function sendMetrics(): Promise<void> {
  sendToServer({ metrics: await metricsRegistry.metrics() });
}

function sendToServer(message: PagesReport): void {
  process.send?.(message);
}

// Ctrl+C reaches every process. Ignore it so that the server can finish its requests first.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {});
process.once("disconnect", () => {
  if (!IS_WINDOWS_PIPE) rmSync(dirname(socketPath), { recursive: true, force: true });
  setTimeout(() => process.exit(0), 2000).unref();
});
exitOnUncaught(async () => {}, 0);
start().catch(exitWithError);
