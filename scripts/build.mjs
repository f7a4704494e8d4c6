import { build, generate, install } from "./lib/prepare.mjs";
import { checkEnvironment, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run build                 installs missing packages and makes the production build
 * npm run build -- --changed    the same, only if the sources have changed
 */
checkEnvironment();
const { changed } = readArguments(import.meta.url).values;
stopOnSignals();
await install();
await generate();
await build({ force: !changed });
