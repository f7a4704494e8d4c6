import { build, generate, install } from "./lib/prepare.mjs";
import { checkNode, stopOnSignals } from "./lib/steps.mjs";

/* `npm run build`: the production build; with --changed only when the sources changed. */
checkNode();
stopOnSignals();
await install();
await generate();
await build({ force: !process.argv.includes("--changed") });
