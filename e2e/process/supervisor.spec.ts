import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import { ServerProcess } from "../server-process";

function fetchStatus(port: number, requestLines: string[]): Promise<number> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write([...requestLines, "", ""].join("\r\n")));
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on("data", (chunk) => (text += chunk));
    socket.on("error", () => {});
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)));
  });
}

const isHealthy = (server: ServerProcess) =>
  server.call("GET", "/api/health").then(
    ({ status }) => status === 200,
    () => false,
  );

test("hop-by-hop headers do not crash the server, and a killed server is restarted", async () => {
  const server = await ServerProcess.create({}, "demo");
  try {
    await server.start();
    await expect.poll(async () => (await fetch(`${server.url}/sign-in`)).status).toBe(200);
    const { pid } = server;
    for (const header of [
      "Trailer: x",
      "TE: trailers",
      "Keep-Alive: 5",
      "Upgrade: h2c",
      "Proxy-Connection: close",
    ])
      for (const path of ["/sign-in", "/_next/static/x.js", "/no/such/page"])
        expect(
          await fetchStatus(server.port, [
            `GET ${path} HTTP/1.1`,
            "Host: localhost",
            header,
            "Connection: close",
          ]),
          `${header} at ${path}`,
        ).toBe(path === "/sign-in" ? 200 : 404);
    expect(server.pid, "the same process").toBe(pid);

    process.kill(pid!, "SIGKILL");
    await expect.poll(() => server.output).toContain('"event":"server.ended","code":null,"signal":"SIGKILL"');
    await expect.poll(() => isHealthy(server), { timeout: 120_000 }).toBe(true);
    expect(server.pid).not.toBe(pid);
    expect(await server.stop(), "graceful stop").toBe(0);
  } finally {
    await server.dispose();
  }
});
