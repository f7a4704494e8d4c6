import { spawn } from "node:child_process";
import { join } from "node:path";
import { watchMessages } from "./lib/messages.mjs";
import { generate, install } from "./lib/prepare.mjs";
import { bin, checkEnvironment, root, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run dev   runs the server from its sources and restarts it when they change; pages use Next's own reload
 */
checkEnvironment();
readArguments(import.meta.url);
const releaseSignals = stopOnSignals();
await install();
await generate();
watchMessages();
releaseSignals();

const IS_WINDOWS = process.platform === "win32";
const args = [
  join(root, bin.tsx),
  "watch",
  "--clear-screen=false",
  "--tsconfig",
  "tsconfig.node.json",
  "server/server-process.ts",
];
const server = spawn(process.execPath, args, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "development" },
  // A separate process group: tsx kills the server when it gets the same signal twice.
  detached: !IS_WINDOWS,
});
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    // On Windows the window signals the server as well, and `kill` would end it without a clean stop.
    if (isStopping || IS_WINDOWS) return;
    isStopping = true;
    server.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
  });
server.on("exit", (code) => process.exit(code ?? 0));
