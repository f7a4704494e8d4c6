import { fileURLToPath } from "node:url";
import { supervise } from "./supervisor";

supervise(fileURLToPath(new URL("server-process.js", import.meta.url)), { name: "server" });
