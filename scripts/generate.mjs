import { generate, install } from "./lib/prepare.mjs";
import { checkEnvironment, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run generate   installs the packages and generates the files that the other commands need to read the sources
 */
checkEnvironment();
readArguments(import.meta.url);
stopOnSignals();
await install();
await generate();
