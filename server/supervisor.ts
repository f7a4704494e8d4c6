import { type ChildProcess, fork } from "node:child_process";
import { constants } from "node:os";

/* Imports no packages, to keep the memory of this idle process low. */

/** Milliseconds before consecutive restarts; the last value repeats. */
const RESTART_DELAYS_MS = [0, 1000, 2000, 5000, 10_000, 30_000];

/** Milliseconds after which a process counts as stable and restarts without delay. */
const STABLE_AFTER_MS = 60_000;

/** Milliseconds to stop after the launcher was killed: its next start needs the data directory. */
const ORPHAN_STOP_MS = 3000;

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

interface SuperviseOptions {
  name: string;
  delaysMs?: number[];
}

/** Restarts a program with growing delays. Exits with its code if the first start fails or it ends with 0. */
export function supervise(program: string, { name, delaysMs = RESTART_DELAYS_MS }: SuperviseOptions): void {
  let child: ChildProcess;
  let hasServed = false;
  let isStopping = false;
  let failureCount = 0;
  let restartTimer: NodeJS.Timeout | undefined;

  function startChild(): void {
    const startedAt = performance.now();
    restartTimer = undefined;
    child = fork(program);
    child.on("message", (message) => {
      if (message === "serving") hasServed = true;
    });
    child.on("error", (error) => writeLogLine({ event: `${name}.failed`, reason: error.message }));
    child.once("exit", (code, signal) => {
      if (isStopping || !hasServed || code === 0) process.exit(toExitCode(code, signal));
      if (performance.now() - startedAt > STABLE_AFTER_MS) failureCount = 0;
      const delayMs = delaysMs[Math.min(failureCount++, delaysMs.length - 1)]!;
      writeLogLine({ event: `${name}.ended`, code, signal, restarts_in: delayMs / 1000 });
      restartTimer = setTimeout(startChild, delayMs);
    });
  }

  function stopChild(signal: NodeJS.Signals): void {
    isStopping = true;
    if (restartTimer) process.exit(0);
    // A signal would end a program that is still loading, and any program on Windows.
    if (child.connected) child.send(signal);
  }

  startChild();
  for (const signal of SIGNALS) process.on(signal, () => stopChild(signal === "SIGHUP" ? "SIGTERM" : signal));
  if (!process.channel) return;
  process.on("disconnect", () => {
    stopChild("SIGTERM");
    setTimeout(() => {
      child.kill("SIGKILL");
      process.exit(1);
    }, ORPHAN_STOP_MS);
  });
  process.channel.unref();
}

function toExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return signal ? 128 + constants.signals[signal] : (code ?? 1);
}

/** Writes a log line in the format of `core/log.ts`. */
function writeLogLine(line: object): void {
  process.stdout.write(`${JSON.stringify({ level: "error", time: new Date().toISOString(), ...line })}\n`);
}

// A closed output pipe must not end the server.
process.stdout.on("error", () => {});
