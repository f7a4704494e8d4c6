import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, constants } from "node:os";
import { join } from "node:path";
import { build, generate, install } from "./lib/prepare.mjs";
import { checkEnvironment, root, step, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm start         installs, generates and builds what is missing, then runs the server
 * npm run worker    the same with a process that only performs jobs
 */

// Plain JavaScript without packages, because it has to run before there are any.
checkEnvironment();
const isWorker = process.argv[2] === "worker";
readArguments(import.meta.url, process.argv.slice(isWorker ? 3 : 2));
const startedAt = performance.now();
const program = isWorker ? "dist/worker.js" : "dist/main.js";
const WINDOWS = process.platform === "win32";
const above = ancestors();
const handOver = stopOnSignals();
const worked = [await install(), await generate(), await build()];
if (!worked.includes(true)) step("packages and build are up to date", startedAt);
handOver();

const server = spawn(process.execPath, [join(root, program)], {
  cwd: root,
  // Through the channel, the program learns that this process was killed.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: {
    ...process.env,
    NODE_ENV: "production",
    // Passwords are hashed in this pool, whose size is read before any of our code runs.
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? String(Math.max(2, availableParallelism())),
  },
});
// Ctrl+C reaches the server by itself, from the terminal; a signal from anywhere else reaches only us. The server
// ignores repeated signals, so passing it on is right in both cases. On Windows all come from the window, and passing
// one on would end the server at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => WINDOWS || server.kill(signal === "SIGHUP" ? "SIGTERM" : signal));
}
server.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));

if (process.env.npm_lifecycle_event) {
  // npm passes signals on, but not when it is killed: then we, or the shell between us, get another parent.
  setInterval(() => ancestors() !== above && server.kill("SIGTERM"), 500);
}

/** Our parent, and above it npm when the parent is the shell that npm starts scripts with. */
function ancestors() {
  try {
    const [, name, parent] = readFileSync(`/proc/${process.ppid}/stat`, "utf8").match(/\((.*)\) \S (\d+)/);
    return /^(sh|dash|bash|ash)$/.test(name) ? `${process.ppid} ${parent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
}
