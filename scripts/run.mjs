import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bin, checkEnvironment, fail, root, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run lint     checks formatting and lint rules; passes further arguments to `biome check`
 * npm run unused   finds unused files, exports and packages; passes further arguments to `knip`
 */

// lib/usage.mjs reads the comment above, which is the usage of `lint` and `unused`.
// `node scripts/run.mjs [--generate] <file.ts | tool> [arguments]` runs a program or a tool of `bin`.
// Only --generate installs packages: a production machine must not get development tools.
checkEnvironment();
const isGenerating = process.argv[2] === "--generate";
const [target, ...args] = process.argv.slice(isGenerating ? 3 : 2);
const isProgram = target.endsWith(".ts");
if (isProgram && !existsSync(join(root, target))) fail(`This installation does not have ${target}.`);
if (isProgram) readArguments(pathToFileURL(join(root, target)), args);
else if (args.includes("--help") || args.includes("-h")) readArguments(import.meta.url, ["--help"]);
if (isGenerating) {
  const { install, generate } = await import("./lib/prepare.mjs");
  const releaseSignals = stopOnSignals();
  await install();
  await generate();
  releaseSignals();
}
const requiredFiles = [
  "node_modules/.package-lock.json",
  ...(isProgram ? ["server/infrastructure/database/generated/.stamp"] : []),
];
if (!requiredFiles.every((file) => existsSync(join(root, file))))
  fail(
    "Run `npm run generate` first: it installs the packages and writes the files that this command reads.",
  );

const tool = join(root, isProgram ? bin.tsx : bin[target]);
const toolArgs = isProgram ? ["--tsconfig", "tsconfig.node.json", target, ...args] : args;
process.argv = [process.execPath, tool, ...toolArgs];
await import(pathToFileURL(tool).href);
