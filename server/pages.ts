import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { env, exportEnvForLibraries } from "./core/env";
import { log } from "./core/log";
import { collectProcessMetrics, registry } from "./core/metrics";
import { mapStacks } from "./core/stacks";
import { fail } from "./fail";
import { closeDatabase, connectTo } from "./infrastructure/database/client";
import { ProcessHeartbeat } from "./infrastructure/process-heartbeat";
import { closeLimiter, connectLimiter } from "./infrastructure/rate-limit/limiter";
import { checkSecret } from "./infrastructure/secrets/fingerprint";
import { startTraces } from "./infrastructure/tracing/start";
import { withSpan } from "./infrastructure/tracing/trace";
import { endOnUncaught } from "./supervised";
import { loadNext } from "./transports/pages/next";
import type { FromPages, ToPages } from "./transports/pages/process";
import { trustForwardedFor } from "./transports/request-origin";

/*
 * Process that renders pages, started by `pages/process.ts`. Its IPC channel closes when the server ends,
 * even if it was killed.
 */

const socketPath = process.argv[2]!;
/** Windows pipes are not files and vanish with their process. */
const PIPE = process.platform === "win32";

/** Resolves when the server reports that its database is up. */
const database = new Promise<string>((resolve) => {
  process.on("message", (message: ToPages) => {
    if (message === "measure") void measure();
    else resolve(message.databaseUrl);
  });
});

mapStacks();

async function start(): Promise<void> {
  exportEnvForLibraries(env());
  collectProcessMetrics();
  const endTraces = await startTraces("pages");
  trustForwardedFor();
  const { pages, close } = await loadNext(env());
  // Next has overridden the stack formatting.
  mapStacks();
  connectTo(await database);
  await Promise.all([checkSecret(), connectLimiter()]);
  const beat = new ProcessHeartbeat("pages");
  beat.begin();
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (req, res) => {
    const span = { name: `${req.method} page`, kind: "server", parent: req.headers.traceparent } as const;
    withSpan(span, () => pages(req, res)).catch((cause: unknown) => {
      log.error({ event: "pages.failed", cause });
      if (res.headersSent) return res.destroy();
      res.writeHead(500).end();
    });
  });
  const stop = async () => {
    await Promise.allSettled([close(), closeLimiter(), beat.end().then(closeDatabase), endTraces()]);
    process.exit(0);
  };
  if (!process.connected) return stop();
  // A killed process leaves its socket file.
  if (!PIPE) rmSync(socketPath, { force: true });
  server.listen(socketPath, () => sendToServer("ready"));
  process.once("disconnect", stop);
}

async function measure(): Promise<void> {
  sendToServer({ metrics: await registry.metrics() });
}

function sendToServer(message: FromPages): void {
  process.send?.(message);
}

// Ctrl+C reaches every process. Ignore it so that the server can finish its requests first.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {});
process.once("disconnect", () => {
  if (!PIPE) rmSync(dirname(socketPath), { recursive: true, force: true });
  setTimeout(() => process.exit(0), 2000).unref();
});
endOnUncaught(async () => {}, 0);
start().catch(fail);
