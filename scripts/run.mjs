import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bin, checkEnvironment, fail, root } from "./lib/steps.mjs";

/*
 * `node scripts/run.mjs <file.ts | tool> [arguments]`: runs a TypeScript program of ours, or a tool of `bin`. On a clone
 * without packages or generated files it names the command that makes them. It installs nothing itself: a production
 * machine has no development tools and must not get them beside a running server.
 */
checkEnvironment();
const [target, ...args] = process.argv.slice(2);
const isProgram = target.endsWith(".ts");
const required = [
  "node_modules/.package-lock.json",
  ...(isProgram ? ["server/infrastructure/database/generated/.stamp"] : []),
];
if (!required.every((file) => existsSync(join(root, file))))
  fail(
    "Run `npm run generate` first: it installs the packages and writes the files that this command reads.",
  );

const tool = join(root, isProgram ? bin.tsx : bin[target]);
const toolArgs = isProgram ? ["--tsconfig", "tsconfig.node.json", target, ...args] : args;
process.argv = [process.execPath, tool, ...toolArgs];
await import(pathToFileURL(tool).href);
