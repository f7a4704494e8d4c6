import { generate, install } from "./lib/prepare.mjs";
import { checkNode, stopOnSignals } from "./lib/steps.mjs";

/* `npm run generate`: what the other commands need before they can read the sources. */
checkNode();
stopOnSignals();
await install();
await generate();
