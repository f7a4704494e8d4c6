import { spawnSync } from "node:child_process";
import { generate, install } from "./lib/prepare.mjs";
import { bin, checkEnvironment, root, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run typecheck   generates route types, then checks all types
 */
checkEnvironment();
readArguments(import.meta.url);
const releaseSignals = stopOnSignals();
await install();
await generate();
releaseSignals();
for (const args of [
  [bin.next, "typegen"],
  [bin.tsc, "--noEmit", "--incremental", "false"],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
