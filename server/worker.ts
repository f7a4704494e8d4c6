import { fileURLToPath } from "node:url";
import { rejectArguments } from "./no-arguments";
import { supervise } from "./supervisor";

rejectArguments(`node dist/worker.js   runs a process of the last build that only performs jobs

Settings are environment variables and lines of .env; docs/settings.md lists them.
`);
supervise(fileURLToPath(new URL("worker-process.js", import.meta.url)), { name: "worker" });
