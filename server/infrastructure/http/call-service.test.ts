import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { callService } from "./call-service";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function startService(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("sends user agent and form, and returns status and text", async () => {
  const url = await startService(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    res
      .writeHead(418)
      .end(`${req.headers["user-agent"]} ${req.method} ${req.headers["content-type"]} ${body}`);
  });
  const response = await callService(url, {
    method: "POST",
    form: { code: "a b" },
    timeout: 5000,
    maxBytes: 100,
  });
  expect(response).toEqual({ status: 418, text: "Tellal POST application/x-www-form-urlencoded code=a+b" });
});

it("returns a redirect instead of following it", async () => {
  const url = await startService((_, res) => void res.writeHead(302, { location: "/elsewhere" }).end());
  expect((await callService(url, { timeout: 5000, maxBytes: 100 })).status).toBe(302);
});

it("times out when the body stalls, even after a garbage collection", async () => {
  const url = await startService((_, res) => {
    res.writeHead(200).write("{");
    setTimeout(collectGarbage, 100);
  });
  await expect(callService(url, { timeout: 500, maxBytes: 100 })).rejects.toMatchObject({
    reason: "timeout",
  });
});

it("rejects a response that is too large", async () => {
  const url = await startService((_, res) => void res.end("x".repeat(101)));
  await expect(callService(url, { timeout: 5000, maxBytes: 100 })).rejects.toMatchObject({
    reason: "too_large",
  });
});
