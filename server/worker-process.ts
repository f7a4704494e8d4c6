import { checkBuild } from "./build";
import { checkPort } from "./check-port";
import { env, SettingsError, settingsWarnings } from "./core/env";
import { log, printLine } from "./core/log";
import { mapStacks } from "./core/stacks";
import { SECOND } from "./core/time";
import { fail } from "./fail";
import { closeDatabase, connectTo } from "./infrastructure/database/client";
import { awaitMigrations } from "./infrastructure/database/migrate";
import { checkPooling } from "./infrastructure/database/pooler";
import { startWorker } from "./infrastructure/jobs/worker";
import { ProcessHeartbeat } from "./infrastructure/process-heartbeat";
import { checkSecret } from "./infrastructure/secrets/fingerprint";
import { watchStalls } from "./infrastructure/stall-watch";
import { checkBucket } from "./infrastructure/storage/start";
import { startTraces } from "./infrastructure/tracing/start";
import { startMetricsServer } from "./metrics-server";
import { endOnUncaught, followSupervisor, reportServing } from "./supervised";
import "./domains";

mapStacks();

const CRASH_DEADLINE = 10 * SECOND;

async function start(): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, METRICS_HOST, METRICS_PORT } = env();
  if (!DATABASE_URL)
    throw new SettingsError("DATABASE_URL: missing; a worker shares the database of the servers");
  await checkBuild(env());
  if (METRICS_PORT) await checkPort({ host: METRICS_HOST, port: METRICS_PORT });
  for (const warning of settingsWarnings()) printLine(warning);
  await checkBucket(env());
  const endTraces = await startTraces("worker");
  await checkPooling(env(), printLine);
  connectTo(DATABASE_URL);
  await awaitMigrations(DATABASE_DIRECT_URL ?? DATABASE_URL, () =>
    printLine("waiting for a server of this release, which prepares the database"),
  );
  await checkSecret();
  const runner = await startWorker();
  endOnUncaught(() => runner.stop(), CRASH_DEADLINE);
  const heartbeat = new ProcessHeartbeat("worker");
  heartbeat.begin();
  const metrics = METRICS_PORT
    ? await startMetricsServer({ host: METRICS_HOST, port: METRICS_PORT })
    : undefined;
  log.info({ event: "worker.started" });
  reportServing();
  watchStalls();
  let stopped: Promise<void> | undefined;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (stopped) return;
      log.info({ event: "stopping", signal });
      stopped = runner.stop();
    });
  await runner.promise;
  await stopped;
  metrics?.close();
  await heartbeat.end();
  await endTraces();
  await closeDatabase();
  log.info({ event: "stopped" });
}

followSupervisor();
start().catch(fail);
