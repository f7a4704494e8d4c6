import { generate, install } from "./lib/prepare.mjs";
import { checkEnvironment, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run generate   installs the packages and generates the database client, messages, API descriptions and client types
 */
checkEnvironment();
readArguments(import.meta.url);
stopOnSignals();
await install();
await generate();
