import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { env, exportEnvForLibraries } from "./core/env";
import { log } from "./core/log";
import { collectProcessMetrics, registry } from "./core/metrics";
import { mapStacks } from "./core/stacks";
import { fail } from "./fail";
import { closeDatabase, connectTo } from "./infrastructure/database/client";
import { ProcessBeat } from "./infrastructure/process-beat";
import { closeLimiter, connectLimiter } from "./infrastructure/rate-limit/limiter";
import { checkSecret } from "./infrastructure/secrets/known";
import { startTraces } from "./infrastructure/tracing/start";
import { traced } from "./infrastructure/tracing/trace";
import { endOnUncaught } from "./supervised";
import { loadNext } from "./transports/pages/next";
import type { FromPages, ToPages } from "./transports/pages/process";
import { believeFrontDoor } from "./transports/request-origin";

/*
 * The process that renders pages, at a local socket. main.ts starts it and decides when it stops: the system closes the
 * channel between them when the server ends, however that is.
 */

const socketPath = process.argv[2]!;
/** A pipe of Windows is no file, and gone with its process. */
const PIPE = process.platform === "win32";

/** Waits for the server's word that its database is up. */
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
  believeFrontDoor();
  const { pages, close } = await loadNext(env());
  // Next has set a form of its own.
  mapStacks();
  connectTo(await database);
  await Promise.all([checkSecret(), connectLimiter()]);
  const beat = new ProcessBeat("pages");
  beat.begin();
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (req, res) => {
    const piece = { name: `${req.method} page`, kind: "server", cause: req.headers.traceparent } as const;
    traced(piece, () => pages(req, res)).catch((cause: unknown) => {
      log.error({ event: "pages.failed", cause });
      if (res.headersSent) return res.destroy();
      res.writeHead(500).end();
    });
  });
  const stop = async () => {
    await Promise.allSettled([close(), closeLimiter(), beat.end().then(closeDatabase), endTraces()]);
    process.exit(0);
  };
  // The server has ended, and the directory of the socket with it.
  if (!process.connected) return stop();
  // That of a process that was killed is still there.
  if (!PIPE) rmSync(socketPath, { force: true });
  server.listen(socketPath, () => tell("ready"));
  process.once("disconnect", stop);
}

async function measure(): Promise<void> {
  tell({ metrics: await registry.metrics() });
}

function tell(message: FromPages): void {
  process.send?.(message);
}

// Ctrl+C in a terminal reaches every process; the server finishes its requests first.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => {});
process.once("disconnect", () => {
  if (!PIPE) rmSync(dirname(socketPath), { recursive: true, force: true });
  setTimeout(() => process.exit(0), 2000).unref();
});
endOnUncaught(async () => {}, 0);
start().catch(fail);
