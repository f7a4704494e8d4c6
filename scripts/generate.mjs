import { generate, install } from "./lib/prepare.mjs";
import { checkNode, stopOnSignals } from "./lib/steps.mjs";

/* `npm run generate`: generates the files that the other commands need to read the sources. */
checkNode();
stopOnSignals();
await install();
await generate();
