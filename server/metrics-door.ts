import { createServer, type Server } from "node:http";
import { collectProcessMetrics, registry } from "./core/metrics";

/** Serves Prometheus metrics on a separate port, which must not be public. */
export async function openMetrics(port: number): Promise<Server> {
  collectProcessMetrics();
  const server = createServer(async (req, res) => {
    if (req.url !== "/metrics") return res.writeHead(404).end();
    res.writeHead(200, { "content-type": registry.contentType }).end(await registry.metrics());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, resolve));
  return server;
}
