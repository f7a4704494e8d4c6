import { once } from "node:events";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { openSetup } from "@/server/domains/tenancy/administration/service/token";
import { startBackend } from "./backend";
import { checkBuild, loadDemo } from "./build";
import { checkPort } from "./check-port";
import { type Env, env, exportEnvForLibraries, portWarning, settingsWarnings } from "./core/env";
import { log, printLine, printStep } from "./core/log";
import { enterPhase, phase } from "./core/phase";
import { mapStacks } from "./core/stacks";
import { SECOND } from "./core/time";
import { fail, report } from "./fail";
import { closeHttpServer, createHttpServer, listen } from "./http-server";
import { ProcessHeartbeat } from "./infrastructure/process-heartbeat";
import { watchStalls } from "./infrastructure/stall-watch";
import { startTraces } from "./infrastructure/tracing/start";
import { startMetricsServer } from "./metrics-server";
import { endOnUncaught, followSupervisor, reportServing } from "./supervised";
import { PagesProcess } from "./transports/pages/process";

/** Orchestrators kill after 30 s. */
const STOP_DEADLINE = 20_000;

const CRASH_DEADLINE = 10 * SECOND;

/** Idle connections stay open after draining for longer than a proxy takes to send a request. */
const LINGER = 2 * SECOND;

/** Garbage in percent of live memory. With the default, listing 100,000 rows takes over 200 MB. */
const GARBAGE_PERCENT = 30;

const started: Array<() => Promise<unknown>> = [];

let stopServing: (() => Promise<void>) | undefined;
let hasCrashed = false;

async function start(): Promise<void> {
  const startedAt = performance.now();
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
  enterPhase("starting");
  const settings = env();
  // In development, tsx maps stacks itself.
  if (!settings.development) mapStacks();
  exportEnvForLibraries(settings);
  await checkBuild(settings);
  if (settings.SEED === "demo") await loadDemo();
  await checkPort({ host: settings.HOST, port: settings.PORT });
  if (settings.METRICS_PORT) await checkPort({ host: settings.METRICS_HOST, port: settings.METRICS_PORT });
  for (const warning of settingsWarnings()) printLine(warning);
  const endTraces = await startTraces("server");
  // Pages start in parallel with the database. The API does not wait for them.
  const pages = settings.development ? await loadDevelopmentPages(settings) : new PagesProcess();
  started.push(() => pages.close());
  const backend = await startBackend(settings, { work: settings.WORKER === "on" });
  started.push(async () => {
    await backend.stopWork();
    await backend.close();
  });
  if (phase() !== "starting") return;
  const heartbeat = new ProcessHeartbeat("server");
  heartbeat.begin();
  const at = performance.now();
  const ready = pages.connect(backend.databaseUrl);
  const server = createHttpServer(pages.pages);
  await listen(server, { host: settings.HOST, port: settings.PORT });
  const metrics = settings.METRICS_PORT
    ? await startMetricsServer({ host: settings.METRICS_HOST, port: settings.METRICS_PORT, pages })
    : undefined;
  printStep(`listening on ${settings.HOST}:${settings.PORT}`, at);
  stopServing = async () => {
    firstPage.abort();
    // After an uncaught exception, running requests get a moment and new ones are refused.
    const drain = hasCrashed ? 0 : settings.DRAIN_SECONDS * SECOND;
    await Promise.all([
      sleep(drain).then(() =>
        closeHttpServer(server, hasCrashed ? CRASH_DEADLINE / 2 : STOP_DEADLINE, drain > 0 ? LINGER : 0),
      ),
      backend.stopWork(),
    ]);
    metrics?.close();
    await pages.close();
    await heartbeat.end();
    await endTraces();
    await backend.close();
  };
  await ready;
  if (phase() !== "starting") return;
  printStep("pages are ready", at);
  enterPhase("serving");
  if (!settings.development) reportServing();
  watchStalls();
  await announce(settings, startedAt);
  if (settings.development) await compileSignIn(settings);
}

const firstPage = new AbortController();

async function compileSignIn({ HOST, PORT }: Env): Promise<void> {
  const at = performance.now();
  printLine("compiling /sign-in; other pages are compiled when they are first requested");
  const request = get({ host: HOST, port: PORT, path: "/sign-in", agent: false, signal: firstPage.signal });
  const response = await once(request, "response").catch(() => undefined);
  if (!response) return;
  response[0].resume();
  printStep("compiled /sign-in", at);
}

async function loadDevelopmentPages(settings: Env) {
  const { loadNext } = await import("./transports/pages/next");
  const at = performance.now();
  const renderer = await loadNext(settings);
  printStep("loaded Next's development server", at);
  return {
    ...renderer,
    connect: async () => {},
    metrics: async () => undefined,
  };
}

async function announce(settings: Env, startedAt: number): Promise<void> {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`\n  ${settings.APP_NAME} serves ${settings.APP_URL} (started in ${seconds} s)\n`);
  const link = settings.production ? await openSetup() : undefined;
  if (link)
    printLine(`Nobody administers this installation yet. To set it up, open within 24 hours:\n  ${link}`);
  if (settings.SEED === "demo") process.stdout.write((await loadDemo()).greeting(settings.APP_URL));
  const warning = portWarning(settings);
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
        (error: unknown) => fail(error),
      );
    });
  }
}

followSupervisor();
const starting = start();
starting.catch(async (error: unknown) => {
  report(error);
  await stopStarted();
  process.exit(1);
});
stopOnSignal(stop);
endOnUncaught(() => {
  hasCrashed = true;
  return stop();
}, CRASH_DEADLINE);

async function stop(): Promise<void> {
  enterPhase("draining");
  if (!stopServing) await Promise.race([starting.catch(() => {}), sleep(STOP_DEADLINE)]);
  await (stopServing ?? stopStarted)();
}

async function stopStarted(): Promise<void> {
  for (const stop of started) await stop().catch(report);
}
