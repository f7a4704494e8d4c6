import { build, generate, install } from "./lib/prepare.mjs";
import { checkEnvironment, stopOnSignals } from "./lib/steps.mjs";

/* `npm run build`: the production build; with --changed only when the sources changed. */
checkEnvironment();
stopOnSignals();
await install();
await generate();
await build({ force: !process.argv.includes("--changed") });
