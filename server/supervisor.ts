import { type ChildProcess, fork } from "node:child_process";
import { constants } from "node:os";

/* Imports no packages, to keep the memory of this idle process low. */

/** Milliseconds before consecutive restarts; the last value repeats. */
const DELAYS = [0, 1000, 2000, 5000, 10_000, 30_000];

/** Milliseconds after which a process counts as stable and restarts without delay. */
const STABLE = 60_000;

/** Time for an orderly stop after the launcher was killed: its next start needs the data directory. */
const ORPHAN_STOP = 3000;

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

interface Options {
  name: string;
  delays?: number[];
}

/**
 * Runs a program and restarts it with growing delays when it ends unexpectedly. Exits with the program's code
 * when its first start fails, it is stopped by a signal or it exits with 0.
 */
export function supervise(program: string, { name, delays = DELAYS }: Options): void {
  let child: ChildProcess;
  let hasServed = false;
  let isStopping = false;
  let failures = 0;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = performance.now();
    restart = undefined;
    child = fork(program);
    child.on("message", (message) => {
      if (message === "serving") hasServed = true;
    });
    child.on("error", (error) => report({ event: `${name}.failed`, reason: error.message }));
    child.once("exit", (code, signal) => {
      if (isStopping || !hasServed || code === 0) process.exit(exitCode(code, signal));
      if (performance.now() - startedAt > STABLE) failures = 0;
      const delay = delays[Math.min(failures++, delays.length - 1)]!;
      report({ event: `${name}.ended`, code, signal, restarts_in: delay / 1000 });
      restart = setTimeout(start, delay);
    });
  }

  function stop(signal: NodeJS.Signals): void {
    isStopping = true;
    if (restart) process.exit(0);
    // A signal would end a program that is still loading, and any program on Windows.
    if (child.connected) child.send(signal);
  }

  start();
  for (const signal of SIGNALS) process.on(signal, () => stop(signal === "SIGHUP" ? "SIGTERM" : signal));
  if (!process.channel) return;
  process.on("disconnect", () => {
    stop("SIGTERM");
    setTimeout(() => {
      child.kill("SIGKILL");
      process.exit(1);
    }, ORPHAN_STOP);
  });
  process.channel.unref();
}

function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return signal ? 128 + constants.signals[signal] : (code ?? 1);
}

/** Writes a log line in the format of `core/log.ts`. */
function report(line: object): void {
  process.stdout.write(`${JSON.stringify({ level: "error", time: new Date().toISOString(), ...line })}\n`);
}

// A closed output pipe must not end the server.
process.stdout.on("error", () => {});
