import { mkdtempSync, rmSync } from "node:fs";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { formatText } from "@/server/core/texts";
import { createHttpServer } from "@/server/http-server";
import { sendHttp } from "@/server/testing/http";
import { buildRequestText, sendRawRequest } from "@/server/testing/raw-socket";
import { createForwarder } from "./forward";
import { RenderQueue } from "./queue";

async function startServers(
  renderer: RequestListener,
  limits: ConstructorParameters<typeof RenderQueue>[0] = {},
) {
  const directory = mkdtempSync(join(tmpdir(), "tellal-forward-"));
  const rendererServer = createServer({ keepAliveTimeout: 0 }, renderer);
  const socketPath = join(directory, "socket");
  await new Promise<void>((resolve) => rendererServer.listen(socketPath, resolve));
  const httpServer = createHttpServer(createForwarder(socketPath, new RenderQueue(limits)));
  await new Promise<void>((resolve) => httpServer.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const server of [httpServer, rendererServer]) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(directory, { recursive: true, force: true });
  });
  return { rendererServer, port: (httpServer.address() as AddressInfo).port };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const pageHeaders = { accept: "text/html", "accept-language": "de" };

it("forwards the request and returns the response", async () => {
  const { port } = await startServers(async (req, res) => {
    const { method, url, headers } = req;
    res.setHeader("set-cookie", ["a=1", "b=2"]);
    res.writeHead(201, { "x-frame-options": "SAMEORIGIN", "content-type": "application/json" });
    res.end(JSON.stringify({ method, url, expect: headers.expect, body: await readBody(req) }));
  });
  for (const method of ["POST", "GET"]) {
    const raw = "x".repeat(60_000);
    const { status, headers, json } = await sendHttp(port, method, "/session/a?b=c", { raw });
    expect({ status, json }).toEqual({ status: 201, json: { method, url: "/session/a?b=c", body: raw } });
    expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(headers).toMatchObject({ "x-frame-options": "SAMEORIGIN", "x-content-type-options": "nosniff" });
  }
  const headResponse = await sendHttp(port, "HEAD", "/a");
  expect(headResponse).toMatchObject({ status: 201, text: "" });
});

describe("hop-by-hop headers", () => {
  const headerLines = [
    "Trailer: x",
    "TE: trailers",
    "Keep-Alive: timeout=5",
    "Proxy-Connection: keep-alive",
    "Proxy-Authorization: Basic eDp5",
    "Upgrade: websocket",
    "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
    "Connection: x-secret, close\r\nX-Secret: 1",
  ];

  it.each(headerLines)("are not forwarded: %s", async (headerLine) => {
    const { port } = await startServers((req, res) => res.end(Object.keys(req.headers).sort().join()));
    const allowed = "connection,content-length,host,x-forwarded-for,x-forwarded-host,x-forwarded-proto";
    for (const [request, body] of [
      ["GET /sign-in", ""],
      ["HEAD /sign-in", ""],
      ["POST /session/a", "3\r\nabc\r\n0\r\nX: 1\r\n\r\n"],
    ] as const) {
      const framing = body ? ["Transfer-Encoding: chunked"] : [];
      const connectionHeader = headerLine.startsWith("Connection") ? [] : ["Connection: close"];
      const { text, statuses } = await sendRawRequest(
        port,
        buildRequestText(`${request} HTTP/1.1`, [headerLine, ...framing, ...connectionHeader], body),
      );
      expect(statuses, request).toEqual([200]);
      const forwardedHeaders = text
        .slice(text.indexOf("\r\n\r\n") + 4)
        .split("\r\n")
        .find((each) => each.includes("host"));
      for (const name of forwardedHeaders?.split(",") ?? []) expect(allowed.split(",")).toContain(name);
    }
    expect((await sendHttp(port, "GET", "/")).status, "the server still responds").toBe(200);
  });

  it("are removed from a page's response", async () => {
    const { port } = await startServers((_req, res) => {
      res.writeHead(200, {
        connection: "x-internal",
        "x-internal": "1",
        "keep-alive": "timeout=1",
        "x-page": "1",
      });
      res.end("page");
    });
    const { headers, text } = await sendHttp(port, "GET", "/");
    expect(text).toBe("page");
    expect(headers).toMatchObject({ "x-page": "1" });
    expect(headers["x-internal"]).toBeUndefined();
  });
});

it("allows only GET and HEAD for pages, and POST for session routes", async () => {
  const { port } = await startServers((_req, res) => res.end("page"));
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const { status, headers } = await sendHttp(port, method, "/dashboard");
    expect({ method, status, allow: headers.allow }).toEqual({ method, status: 405, allow: "GET, HEAD" });
  }
  expect((await sendHttp(port, "POST", "/session/callback/token")).status).toBe(200);
});

it("forwards the client's host, and our own host instead of an invalid one", async () => {
  const { port } = await startServers((req, res) => res.end(req.headers.host));
  for (const [host, expectedHost] of [
    ["portal.example.com:8443", "portal.example.com:8443"],
    ["[::1", new URL(process.env.APP_URL ?? "http://localhost:3000").host],
  ] as const)
    expect((await sendHttp(port, "GET", "/", { headers: { host } })).text, host).toBe(expectedHost);
});

it("drops conditional and range headers and rejects undecodable paths", async () => {
  const { port } = await startServers((req, res) => res.end(Object.keys(req.headers).join()));
  for (const [name, value] of [
    ["if-match", '"x"'],
    ["if-unmodified-since", "Mon, 01 Jan 1990 00:00:00 GMT"],
    ["range", "bytes=9-1"],
  ] as const) {
    const { status, text } = await sendHttp(port, "GET", "/icon.svg", { headers: { [name]: value } });
    expect({ name, status, passed: text.split(",").includes(name) }).toEqual({
      name,
      status: 200,
      passed: false,
    });
  }
  for (const path of ["/%E0%A4%A", "/%", "/session/callback/%E0"])
    expect((await sendHttp(port, "GET", path)).status, path).toBe(400);
});

it("streams a response while it is rendered", async () => {
  let finish = () => {};
  const { port } = await startServers((_req, res) => {
    res.write("first");
    finish = () => res.end(" last");
  });
  const response = await new Promise<IncomingMessage>((resolve) =>
    get({ port, host: "127.0.0.1", path: "/" }, resolve),
  );
  const firstChunk = await new Promise<Buffer>((resolve) => response.once("data", resolve));
  expect(firstChunk.toString()).toBe("first");
  finish();
  expect(await readBody(response)).toBe(" last");
});

it("aborts rendering when the client disconnects, before and during the response", async () => {
  for (const isEarly of [true, false]) {
    let onStart = () => {};
    let onRenderEnd = () => {};
    const [renderStart, renderEnd] = [
      new Promise<void>((resolve) => (onStart = resolve)),
      new Promise<void>((resolve) => (onRenderEnd = resolve)),
    ];
    const { port } = await startServers((_req, res) => {
      res.once("close", onRenderEnd);
      if (!isEarly) res.write("some");
      onStart();
    });
    const request = get({ port, host: "127.0.0.1", path: "/", agent: false });
    request.on("error", () => {});
    if (isEarly) await renderStart;
    else await new Promise((resolve) => request.once("response", resolve));
    request.destroy();
    await renderEnd;
  }
});

it("answers 503 when the renderer fails, and aborts a response that has started", async () => {
  const { port, rendererServer } = await startServers((req, res) => {
    if (req.url === "/amid") res.write("some", () => res.destroy());
    else req.socket.destroy();
  });
  const errorResponse = await sendHttp(port, "GET", "/", { headers: pageHeaders });
  expect(errorResponse).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect(errorResponse.text).toContain(formatText("de", "errors.busy"));
  expect((await sendHttp(port, "GET", "/")).json).toEqual({ message: "Service Unavailable" });
  await expect(sendHttp(port, "GET", "/amid")).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  rendererServer.close();
  rendererServer.closeAllConnections();
  expect((await sendHttp(port, "GET", "/", { headers: pageHeaders })).status).toBe(503);
});

it("aborts a page that sends no first byte in time, but not one that has started", async () => {
  let onRenderEnd = () => {};
  const renderEnd = new Promise<void>((resolve) => (onRenderEnd = resolve));
  let finish = () => {};
  const { port } = await startServers(
    (req, res) => {
      if (req.url === "/never") return res.once("close", onRenderEnd);
      res.write("first");
      finish = () => res.end(" last");
    },
    { timeoutMs: 300 },
  );
  const responsePromise = new Promise<IncomingMessage>((resolve) =>
    get({ port, host: "127.0.0.1", path: "/" }, resolve),
  );
  const response = await responsePromise;
  const errorResponse = await sendHttp(port, "GET", "/never", { headers: pageHeaders });
  expect(errorResponse).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect(errorResponse.text).toContain(formatText("de", "errors.busy"));
  await renderEnd;
  finish();
  expect(await readBody(response)).toBe("first last");
});

it("limits concurrent pages, rejects further ones and still serves files", async () => {
  const pendingPages: Array<() => void> = [];
  const { port } = await startServers(
    (req, res) => {
      if (req.url!.startsWith("/_next/static/")) res.end("file");
      else pendingPages.push(() => res.end("page"));
    },
    { maxRequests: 3 },
  );
  const acceptedRequests = [1, 2, 3].map(() => sendHttp(port, "GET", "/"));
  await expect.poll(() => pendingPages.length).toBe(3);
  const refusal = await sendHttp(port, "GET", "/", { headers: pageHeaders });
  expect(refusal).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect((await sendHttp(port, "GET", "/_next/static/a.js")).text).toBe("file");
  for (const finish of pendingPages.splice(0)) finish();
  expect((await Promise.all(acceptedRequests)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const nextRequest = sendHttp(port, "GET", "/");
  await expect.poll(() => pendingPages.length).toBe(1);
  pendingPages[0]!();
  expect((await nextRequest).text).toBe("page");
});

it("starts 16 pages concurrently, in order; skips disconnected clients and never queues files", async () => {
  const startedPaths: string[] = [];
  const finishers = new Map<string, () => void>();
  const { port } = await startServers((req, res) => {
    startedPaths.push(req.url!);
    finishers.set(req.url!, () => res.write("begun"));
    if (req.url!.startsWith("/_next") || req.url!.startsWith("/session")) res.end();
  });
  const responses: Promise<IncomingMessage>[] = [];
  for (let page = 1; page <= 18; page++) {
    responses.push(new Promise((resolve) => get({ port, host: "127.0.0.1", path: `/${page}` }, resolve)));
    // 16 is MAX_PARALLEL_PAGES.
    await expect.poll(() => startedPaths.length).toBe(Math.min(page, 16));
  }
  for (const path of ["/_next/static/a.js", "/session/csrf"])
    expect((await sendHttp(port, "GET", path)).status).toBe(200);
  expect(startedPaths.filter((path) => /^\/\d/.test(path))).toHaveLength(16);

  const abortedRequest = get({ port, host: "127.0.0.1", path: "/gone" }).on("error", () => {});
  await new Promise((resolve) => abortedRequest.once("finish", resolve));
  abortedRequest.destroy();
  responses.push(new Promise((resolve) => get({ port, host: "127.0.0.1", path: "/19" }, resolve)));

  for (const [finishedPage, startedPage] of [
    [5, 17],
    [9, 18],
    [17, 19],
  ]) {
    finishers.get(`/${finishedPage}`)!();
    await expect.poll(() => startedPaths.at(-1)).toBe(`/${startedPage}`);
  }
  for (let page = 1; page <= 19; page++) finishers.get(`/${page}`)!();
  for (const response of await Promise.all(responses)) response.destroy();
});
