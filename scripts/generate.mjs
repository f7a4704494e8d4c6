import { generate, install } from "./lib/prepare.mjs";
import { checkEnvironment, stopOnSignals } from "./lib/steps.mjs";

/* `npm run generate`: generates the files that the other commands need to read the sources. */
checkEnvironment();
stopOnSignals();
await install();
await generate();
