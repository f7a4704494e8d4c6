import { fileURLToPath } from "node:url";
import { supervise } from "./supervisor";

supervise(fileURLToPath(new URL("worker-process.js", import.meta.url)), { name: "worker" });
