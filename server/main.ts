import { fileURLToPath } from "node:url";
import { rejectArguments } from "./no-arguments";
import { supervise } from "./supervisor";

rejectArguments(`node dist/main.js   runs the server of the last build

Settings are environment variables and lines of .env; docs/settings.md lists them.
`);
supervise(fileURLToPath(new URL("server-process.js", import.meta.url)), { name: "server" });
