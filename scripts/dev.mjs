import { spawn } from "node:child_process";
import { join } from "node:path";
import { watchMessages } from "./lib/messages.mjs";
import { generate, install } from "./lib/prepare.mjs";
import { bin, checkEnvironment, root, stopOnSignals } from "./lib/steps.mjs";

/* `npm run dev`: runs the server from its sources and restarts it when they change; pages use Next's own reload. */
checkEnvironment();
const handOver = stopOnSignals();
await install();
await generate();
watchMessages();
handOver();

const args = [
  join(root, bin.tsx),
  "watch",
  "--clear-screen=false",
  "--tsconfig",
  "tsconfig.node.json",
  "server/main.ts",
];
const server = spawn(process.execPath, args, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "development" },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // On Windows the server gets it from the window as well, and `kill` would end it at once.
  process.on(signal, () => process.platform === "win32" || server.kill(signal));
}
server.on("exit", (code) => process.exit(code ?? 0));
