import { once } from "node:events";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { issueSetupUrl } from "@/server/domains/tenancy/administration/service/setup-token";
import { startBackend } from "./backend";
import { checkBuildMode, loadDemo } from "./build";
import { checkPort } from "./check-port";
import { type Env, env, exportEnvForLibraries, findPortWarning, listSettingsWarnings } from "./core/env";
import { log, printLine, printStep } from "./core/log";
import { enterPhase, getPhase } from "./core/phase";
import { mapStacks } from "./core/stacks";
import { SECOND } from "./core/time";
import { closeHttpServer, createHttpServer, listen } from "./http-server";
import { ProcessHeartbeat } from "./infrastructure/process-heartbeat";
import { watchStalls } from "./infrastructure/stall-watch";
import { startTracing } from "./infrastructure/tracing/start-tracing";
import { startMetricsServer } from "./metrics-server";
import { exitWithError, printError } from "./print-error";
import { exitOnUncaught, followSupervisor, reportServing } from "./supervised";
import { PagesProcess } from "./transports/pages/pages-process";

/** Milliseconds for a stop; orchestrators kill after 30 s. */
const STOP_DEADLINE_MS = 20_000;

const CRASH_DEADLINE_MS = 10 * SECOND;

/** Milliseconds that idle connections stay open while closing: a proxy may already have sent a request. */
const LINGER_MS = 2 * SECOND;

/** Growth of the heap before V8 collects. With the default, listing 100,000 rows takes over 200 MB. */
const HEAP_GROWING_PERCENT = 30;

const cleanUps: Array<() => Promise<unknown>> = [];

let stopServing: (() => Promise<void>) | undefined;
let hasCrashed = false;

async function start(): Promise<void> {
  const startedAt = performance.now();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
  enterPhase("starting");
  const settings = env();
  // In development, tsx maps stacks itself.
  if (!settings.development) mapStacks();
  exportEnvForLibraries(settings);
  await checkBuildMode(settings);
  if (settings.SEED === "demo") await loadDemo();
  await checkPort({ host: settings.HOST, port: settings.PORT });
  if (settings.METRICS_PORT) await checkPort({ host: settings.METRICS_HOST, port: settings.METRICS_PORT });
  for (const warning of listSettingsWarnings()) printLine(warning);
  const stopTracing = await startTracing("server");
  // Pages start in parallel with the database. The API does not wait for them.
  const pages = settings.development ? await loadDevelopmentPages(settings) : new PagesProcess();
  cleanUps.push(() => pages.close());
  const backend = await startBackend(settings, { runsJobs: settings.WORKER === "on" });
  cleanUps.push(async () => {
    await backend.stopJobs();
    await backend.close();
  });
  if (getPhase() !== "starting") return;
  const heartbeat = new ProcessHeartbeat("server");
  heartbeat.start();
  const stepStartedAt = performance.now();
  const pagesReady = pages.connectDatabase(backend.databaseUrl);
  const server = createHttpServer(pages.handlePage);
  await listen(server, { host: settings.HOST, port: settings.PORT });
  const metricsServer = settings.METRICS_PORT
    ? await startMetricsServer({ host: settings.METRICS_HOST, port: settings.METRICS_PORT, pages })
    : undefined;
  printStep(`listening on ${settings.HOST}:${settings.PORT}`, stepStartedAt);
  stopServing = async () => {
    compileController.abort();
    // After an uncaught exception, running requests get a moment and new ones are refused.
    const drainMs = hasCrashed ? 0 : settings.DRAIN_SECONDS * SECOND;
    await Promise.all([
      sleep(drainMs).then(() =>
        closeHttpServer(
          server,
          hasCrashed ? CRASH_DEADLINE_MS / 2 : STOP_DEADLINE_MS,
          drainMs > 0 ? LINGER_MS : 0,
        ),
      ),
      backend.stopJobs(),
    ]);
    metricsServer?.close();
    await pages.close();
    await heartbeat.stop();
    await stopTracing();
    await backend.close();
  };
  await pagesReady;
  if (getPhase() !== "starting") return;
  printStep("pages are ready", stepStartedAt);
  enterPhase("serving");
  if (!settings.development) reportServing();
  watchStalls();
  await printStartMessage(settings, startedAt);
  if (settings.development) await compileSignInPage(settings);
}

const compileController = new AbortController();

async function compileSignInPage({ HOST, PORT }: Env): Promise<void> {
  const stepStartedAt = performance.now();
  printLine("compiling /sign-in; other pages are compiled when they are first requested");
  const request = get({
    host: HOST,
    port: PORT,
    path: "/sign-in",
    agent: false,
    signal: compileController.signal,
  });
  const response = await once(request, "response").catch(() => undefined);
  if (!response) return;
  response[0].resume();
  printStep("compiled /sign-in", stepStartedAt);
}

async function loadDevelopmentPages(settings: Env) {
  const { loadNext } = await import("./transports/pages/next-renderer");
  const stepStartedAt = performance.now();
  const renderer = await loadNext(settings);
  printStep("loaded Next's development server", stepStartedAt);
  return {
    ...renderer,
    connectDatabase: async () => {},
    metrics: async () => undefined,
  };
}

async function printStartMessage(settings: Env, startedAt: number): Promise<void> {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`\n  ${settings.APP_NAME} serves ${settings.APP_URL} (started in ${seconds} s)\n`);
  const setupLink = settings.production ? await issueSetupUrl() : undefined;
  if (setupLink)
    printLine(
      `Nobody administers this installation yet. To set it up, open within 24 hours:\n  ${setupLink}`,
    );
  if (settings.SEED === "demo") process.stdout.write((await loadDemo()).formatDemoGreeting(settings.APP_URL));
  const warning = findPortWarning(settings);
  if (warning) printLine(warning);
}

function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      log.info({ event: "stopping", signal });
      stop().then(
        () => {
          log.info({ event: "stopped" });
          process.exit(0);
        },
        (error: unknown) => exitWithError(error),
      );
    });
  }
}

followSupervisor();
const startPromise = start();
startPromise.catch(async (error: unknown) => {
  printError(error);
  await stopStartedServices();
  process.exit(1);
});
stopOnSignal(stop);
exitOnUncaught(() => {
  hasCrashed = true;
  return stop();
}, CRASH_DEADLINE_MS);

async function stop(): Promise<void> {
  enterPhase("draining");
  if (!stopServing) await Promise.race([startPromise.catch(() => {}), sleep(STOP_DEADLINE_MS)]);
  await (stopServing ?? stopStartedServices)();
}

async function stopStartedServices(): Promise<void> {
  for (const cleanUp of cleanUps) await cleanUp().catch(printError);
}
