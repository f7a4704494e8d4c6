import { checkBuildMode } from "./build";
import { checkPort } from "./check-port";
import { env, listSettingsWarnings, SettingsError } from "./core/env";
import { log, printLine } from "./core/log";
import { mapStacks } from "./core/stacks";
import { SECOND } from "./core/time";
import { closeDatabase, openDatabase } from "./infrastructure/database/client";
import { awaitMigrations } from "./infrastructure/database/migrate";
import { checkPooling } from "./infrastructure/database/pooler";
import { startWorker } from "./infrastructure/jobs/worker";
import { ProcessHeartbeat } from "./infrastructure/process-heartbeat";
import { checkAppSecret } from "./infrastructure/secrets/fingerprint";
import { watchStalls } from "./infrastructure/stall-watch";
import { checkBucket } from "./infrastructure/storage/check-bucket";
import { startTracing } from "./infrastructure/tracing/start-tracing";
import { startMetricsServer } from "./metrics-server";
import { exitWithError } from "./print-error";
import { exitOnUncaught, followSupervisor, reportServing } from "./supervised";
import "./domains";

mapStacks();

const CRASH_DEADLINE_MS = 10 * SECOND;

async function start(): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, METRICS_HOST, METRICS_PORT } = env();
  if (!DATABASE_URL)
    throw new SettingsError("DATABASE_URL: missing; a worker shares the database of the servers");
  await checkBuildMode(env());
  if (METRICS_PORT) await checkPort({ host: METRICS_HOST, port: METRICS_PORT });
  for (const warning of listSettingsWarnings()) printLine(warning);
  await checkBucket(env());
  const stopTracing = await startTracing("worker");
  await checkPooling(env(), printLine);
  openDatabase(DATABASE_URL);
  await awaitMigrations(DATABASE_DIRECT_URL ?? DATABASE_URL, () =>
    printLine("waiting for a server of this release, which prepares the database"),
  );
  await checkAppSecret();
  const runner = await startWorker();
  exitOnUncaught(() => runner.stop(), CRASH_DEADLINE_MS);
  const heartbeat = new ProcessHeartbeat("worker");
  heartbeat.start();
  const metricsServer = METRICS_PORT
    ? await startMetricsServer({ host: METRICS_HOST, port: METRICS_PORT })
    : undefined;
  log.info({ event: "worker.started" });
  reportServing();
  watchStalls();
  let stopPromise: Promise<void> | undefined;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (stopPromise) return;
      log.info({ event: "stopping", signal });
      stopPromise = runner.stop();
    });
  await runner.promise;
  await stopPromise;
  metricsServer?.close();
  await heartbeat.stop();
  await stopTracing();
  await closeDatabase();
  log.info({ event: "stopped" });
}

followSupervisor();
start().catch(exitWithError);
