import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, constants } from "node:os";
import { join } from "node:path";
import { build, generate, install } from "./lib/prepare.mjs";
import { checkEnvironment, printStep, root, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm start         installs, generates and builds missing parts, then runs the server
 * npm run worker    the same with a process that only runs jobs
 */

// Plain JavaScript without packages: it runs before the install.
checkEnvironment();
const isWorker = process.argv[2] === "worker";
readArguments(import.meta.url, process.argv.slice(isWorker ? 3 : 2));
const startedAt = performance.now();
const program = isWorker ? "dist/worker.js" : "dist/main.js";
const IS_WINDOWS = process.platform === "win32";
const initialParents = findParents();
const releaseSignals = stopOnSignals();
const changes = [await install(), await generate(), await build()];
if (!changes.includes(true)) printStep("packages and build are up to date", startedAt);
releaseSignals();

const server = spawn(process.execPath, [join(root, program)], {
  cwd: root,
  // The channel closes when this process is killed, which ends the program.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: {
    ...process.env,
    NODE_ENV: "production",
    // Passwords are hashed in this pool. Node.js reads its size before any of our code runs.
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? String(Math.max(2, availableParallelism())),
  },
});
// Ctrl+C reaches the server directly; other signals reach only this process. The server ignores repeats.
// On Windows, `kill` would end the server without a clean stop.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => IS_WINDOWS || server.kill(signal === "SIGHUP" ? "SIGTERM" : signal));
}
server.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));

if (process.env.npm_lifecycle_event) {
  // A killed npm forwards no signal, but this process, or its shell, gets another parent.
  setInterval(() => findParents() !== initialParents && server.kill("SIGTERM"), 500);
}

/** Returns the parent's id, and npm's id if the parent is the shell that npm starts scripts with. */
function findParents() {
  try {
    const [, name, parent] = readFileSync(`/proc/${process.ppid}/stat`, "utf8").match(/\((.*)\) \S (\d+)/);
    return /^(sh|dash|bash|ash)$/.test(name) ? `${process.ppid} ${parent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
}
