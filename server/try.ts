import { startBackend } from "./backend";
import { env, exportEnvForLibraries } from "./core/env";
import { listen, openFrontDoor } from "./front-door";

const s = env();
exportEnvForLibraries(s);
await startBackend(s, { work: true });
await listen(
  openFrontDoor(async (_q, r) => void r.writeHead(404).end("page")),
  { host: s.HOST, port: s.PORT },
);
process.stdout.write("up\n");
