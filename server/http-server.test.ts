import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { countByStatus } from "./testing/burst";
import { createIpAddress, sendHttp } from "./testing/http";
import { buildRequestText, sendRawRequest } from "./testing/raw-socket";
import { startTestServer } from "./testing/server";

const { port } = await startTestServer();
const { closeHttpServer, createHttpServer } = await import("./http-server");

const getBody = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4);

describe("routing", () => {
  it("serves the API itself and forwards everything else to the pages", async () => {
    for (const path of [
      "/",
      "/apis",
      "/api-docs",
      "/API/health",
      "/Api/health",
      "//api/health",
      "/%61pi/health",
      "/trpc",
      "/x?/api/health",
    ]) {
      const { status, text } = await sendHttp(port, "GET", path);
      expect({ status, text }).toEqual({ status: 404, text: `page ${path}` });
    }
    for (const path of ["/api/health", "/api/health/", "/api/health?x=//y"])
      expect((await sendHttp(port, "GET", path)).status).toBe(200);
  });

  it("routes by the resolved path", async () => {
    const requestPath = async (path: string) =>
      getBody(
        (await sendRawRequest(port, buildRequestText(`GET ${path} HTTP/1.1`, ["Connection: close"]))).text,
      );
    for (const path of [
      "/./api/i18n/meta",
      "/docs/../api/i18n/meta",
      "/docs/%2E./api/./i18n/x/../meta?y=/../z",
    ])
      expect(await requestPath(path), path).toContain('"supported":["tr"');
    expect(await requestPath("/api/i18n/meta/../../../docs")).toContain(
      '"message":"The route api/i18n/meta/../../../docs',
    );
    for (const [path, page] of [
      ["/session/../docs?a=/../b", "/docs?a=/../b"],
      ["/_next/static/../../docs/", "/docs/"],
      ["/x/..", "/"],
      ["/..//api/health", "//api/health"],
      ["/docs/..%2fapi/health", "/docs/..%2fapi/health"],
      ["/.well-known/x...", "/.well-known/x..."],
    ])
      expect([path, await requestPath(path!)]).toEqual([path, expect.stringContaining(`page ${page}\r\n`)]);
  });

  it("rejects TRACE everywhere and ignores an invalid host for tRPC", async () => {
    for (const path of ["/", "/docs", "/trpc/profile.me", "/session/csrf", "/media/x"])
      expect((await sendHttp(port, "TRACE", path)).status, path).toBe(405);
    for (const host of ["a@b", "a:b:c", "[::1", "%", "", "a/b"]) {
      const { statuses } = await sendRawRequest(
        port,
        ["GET /trpc/profile.me HTTP/1.1", `Host: ${host}`, "Connection: close", "", ""].join("\r\n"),
      );
      expect(statuses, host).toEqual([401]);
    }
  });

  it("has no image optimiser", async () => {
    for (const path of [
      "/_next/image",
      "/_next/image?url=%2Fmedia%2Fa.png&w=32&q=75",
      "/x/../_next/image?url=a",
    ])
      expect((await sendHttp(port, "GET", path)).json.message, path).toMatch(
        /^The route _next.image could not be found/,
      );
  });

  it("ignores the host of an absolute request target", async () => {
    const closeHeaders = ["Connection: close"];
    const apiResponse = await sendRawRequest(
      port,
      buildRequestText("GET http://evil.test/api/i18n/meta?x HTTP/1.1", closeHeaders),
    );
    expect(apiResponse.statuses).toEqual([200]);
    expect(apiResponse.text).not.toContain("evil");
    const pageResponse = await sendRawRequest(
      port,
      buildRequestText("GET http://169.254.169.254/latest?x=1 HTTP/1.1", closeHeaders),
    );
    expect(pageResponse.text).toContain("page /latest?x=1");
    expect(pageResponse.text).not.toContain("169.254");
    const responseWithoutPath = await sendRawRequest(
      port,
      buildRequestText("GET http://evil.test HTTP/1.1", closeHeaders),
    );
    expect(getBody(responseWithoutPath.text)).toContain("page /");
  });

  it("answers HEAD, OPTIONS * and CONNECT without failing", async () => {
    for (const line of ["GET * HTTP/1.1", "OPTIONS * HTTP/1.1", "PUT *?x HTTP/1.1"]) {
      const { statuses, text } = await sendRawRequest(port, buildRequestText(line, ["Connection: close"]));
      expect({ line, statuses }).toEqual({ line, statuses: [400] });
      expect(JSON.parse(getBody(text))).toMatchObject({ success: false });
    }
    for (const line of [
      "HEAD /api/health HTTP/1.1",
      "CONNECT evil.test:443 HTTP/1.1",
      "TRACE /api/health HTTP/1.1",
    ])
      await sendRawRequest(port, buildRequestText(line, ["Connection: close"]), { timeout: 1000 });
    const upgradeHeaders = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: eA==",
    ];
    await sendRawRequest(port, buildRequestText("GET /api/health HTTP/1.1", upgradeHeaders), {
      timeout: 500,
    });
    expect((await sendHttp(port, "GET", "/api/health")).status).toBe(200);
  });
});

describe("malformed HTTP", () => {
  it.each([
    ["garbage", "\u0016\u0003\u0001\u0000\r\n\r\n"],
    ["an unknown method", "GETT /api/health HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a broken header", "GET /api/health HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n"],
    ["NUL in a header", "GET /api/health HTTP/1.1\r\nHost: x\r\nA: b\u0000c\r\n\r\n"],
  ])("rejects %s with a short JSON 400 and closes the socket", async (_, text) => {
    const {
      statuses,
      text: response,
      closedAfterMs,
    } = await sendRawRequest(port, Buffer.from(text, "latin1"));
    expect(closedAfterMs).toBeDefined();
    expect(statuses.length).toBeLessThanOrEqual(1);
    if (statuses.length > 0)
      expect([statuses, JSON.parse(getBody(response))]).toEqual([[400], { message: "Bad Request" }]);
  });

  it("rejects headers over 16 KB with a JSON 431", async () => {
    for (const headers of [
      [`A: ${"a".repeat(20_000)}`],
      Array.from({ length: 2000 }, (_, index) => `H${index}: aaaaaaaaaa`),
      [`Cookie: ${"a=b; ".repeat(5000)}`],
    ]) {
      const { statuses, text } = await sendRawRequest(
        port,
        buildRequestText("GET /api/health HTTP/1.1", headers),
      );
      expect(statuses).toEqual([431]);
      expect(text).toMatch(/content-type: application\/json/i);
      expect(JSON.parse(getBody(text))).toEqual({ message: "Request Header Fields Too Large" });
    }
    expect((await sendRawRequest(port, `GET /${"a".repeat(20_000)} HTTP/1.1\r\n\r\n`)).statuses).toEqual([
      431,
    ]);
  });

  it("never parses a body as another request", async () => {
    const smuggledRequest = "GET /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    const chunked = `0\r\n\r\n${smuggledRequest}`;
    const postLine = "POST /api/auth/login HTTP/1.1";
    const jsonHeader = "Content-Type: application/json";
    const headerSets = [
      [jsonHeader, "Content-Length: 4", "Transfer-Encoding: chunked"],
      [jsonHeader, "Transfer-Encoding: chunked", "Content-Length: 4"],
      [jsonHeader, "Content-Length: 4", "Content-Length: 50"],
      [jsonHeader, "Content-Length: 4, 50"],
      [jsonHeader, "Content-Length: +4"],
      [jsonHeader, "Content-Length: 0x4"],
      [jsonHeader, "Content-Length: -1"],
      [jsonHeader, "Content-Length: 4 4"],
      [jsonHeader, "Transfer-Encoding: xchunked"],
      [jsonHeader, "Transfer-Encoding: chunked, identity"],
      [jsonHeader, "Transfer-Encoding: identity, chunked", "Content-Length: 4"],
      [jsonHeader, "Transfer-Encoding : chunked"],
      [jsonHeader, "Transfer-Encoding: \u000bchunked"],
      [jsonHeader, "Transfer-Encoding:\tchunked", "Content-Length: 4"],
      [jsonHeader, "X: y\nTransfer-Encoding: chunked", "Content-Length: 4"],
      [jsonHeader, "Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
    ];
    const results = await Promise.all(
      headerSets.map((headers) =>
        sendRawRequest(port, Buffer.from(buildRequestText(postLine, headers, chunked), "latin1"), {
          timeout: 1500,
        }),
      ),
    );
    for (const [index, { text, statuses }] of results.entries()) {
      expect(text, String(headerSets[index])).not.toContain("smuggled");
      expect(statuses.length, String(headerSets[index])).toBeLessThanOrEqual(1);
    }
    for (const chunkSize of ["g\r\n", "-1\r\n", "0x1\r\n", "1;\n", "ffffffffffffffff1\r\n", "1 \r\n"]) {
      const text = buildRequestText(
        postLine,
        [jsonHeader, "Transfer-Encoding: chunked"],
        `${chunkSize}a\r\n0\r\n\r\n${smuggledRequest}`,
      );
      const { statuses, text: response } = await sendRawRequest(port, text, { timeout: 700 });
      expect(response).not.toContain("smuggled");
      expect(statuses.length).toBeLessThanOrEqual(1);
    }
  });

  it("answers pipelined requests in order and closes after an unread body", async () => {
    const getRequest = buildRequestText("GET /api/i18n/meta HTTP/1.1", []);
    const lastRequest = buildRequestText("GET /api/x HTTP/1.1", ["Connection: close"]);
    expect((await sendRawRequest(port, getRequest + getRequest + lastRequest)).statuses).toEqual([
      200, 200, 404,
    ]);
    const unreadPost = buildRequestText("POST /api/sites HTTP/1.1", [
      "Content-Type: application/json",
      "Content-Length: 900000",
    ]);
    const { statuses, closedAfterMs } = await sendRawRequest(port, unreadPost + getRequest.repeat(3));
    expect(statuses).toEqual([401]);
    expect(closedAfterMs).toBeDefined();
  });

  it("lets a client that sends too much read the response", async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const body = Buffer.alloc(5 * 1024 * 1024, 0x61);
        const length = index % 2 ? [`Content-Length: ${body.length}`] : ["Transfer-Encoding: chunked"];
        const head = buildRequestText("POST /api/auth/login HTTP/1.1", [
          "Content-Type: application/json",
          `X-Forwarded-For: ${createIpAddress()}`,
          ...length,
        ]);
        const chunk =
          index % 2
            ? body
            : Buffer.concat([
                Buffer.from(`${body.length.toString(16)}\r\n`),
                body,
                Buffer.from("\r\n0\r\n\r\n"),
              ]);
        return sendRawRequest(port, Buffer.concat([Buffer.from(head), chunk]), { timeout: 60_000 });
      }),
    );
    expect(countByStatus(responses.map(({ statuses }) => ({ status: statuses[0] ?? 0 })))).toEqual({
      413: 20,
    });
  });
});

describe("requests forwarded to the pages", () => {
  it("carry their body in any encoding and no client-sent proxy headers", async () => {
    const server = createHttpServer(async (req, res, receivedBody = new Uint8Array()) => {
      const { host, "x-forwarded-host": forwarded, "x-real-ip": ip } = req.headers;
      const body = Buffer.from(receivedBody).toString();
      res.end(JSON.stringify({ method: req.method, url: req.url, host, forwarded, ip, body }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ownPort = (server.address() as AddressInfo).port;
    const formBody = `csrfToken=x&token=${"t".repeat(5000)}`;
    const path = "/session/callback/token?x=1";
    const { json } = await sendHttp(ownPort, "POST", path, {
      raw: formBody,
      headers: { "x-real-ip": "1.1.1.1" },
    });
    expect(json).toEqual({
      method: "POST",
      url: path,
      host: `127.0.0.1:${ownPort}`,
      forwarded: "panel.test",
      body: formBody,
    });
    const chunkedHeaders = ["Transfer-Encoding: chunked", "Connection: close"];
    const chunked = buildRequestText(
      `POST ${path} HTTP/1.1`,
      chunkedHeaders,
      "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
    );
    expect((await sendRawRequest(ownPort, chunked)).text).toContain('"body":"abcde"');
    expect((await sendHttp(ownPort, "GET", "/sign-in")).json).toMatchObject({ method: "GET", body: "" });
    await closeHttpServer(server, 1000);
  });

  const paths = [
    "/session/callback/token",
    "/sign-in",
    "/no/such/page",
    "/trpc/signIn.login",
    "/media/x.webp",
  ];
  const pageHeaders = ["Content-Type: application/json", "Origin: http://panel.test"];

  it.each(paths)("reject a body over the limit of %s without reading it", async (path) => {
    const line = `POST ${path} HTTP/1.1`;
    const responseWithLength = await sendRawRequest(
      port,
      buildRequestText(line, [...pageHeaders, "Content-Length: 209715200"]),
    );
    expect(responseWithLength.statuses).toEqual([413]);
    expect(responseWithLength.closedAfterMs).toBeDefined();
    const chunk = `100000\r\n${"a".repeat(0x100000)}\r\n`;
    const chunkedRequest = buildRequestText(
      line,
      [...pageHeaders, "Transfer-Encoding: chunked"],
      chunk.repeat(3),
    );
    expect((await sendRawRequest(port, chunkedRequest, { timeout: 60_000 })).statuses).toEqual([413]);
  });

  it("time out when a body drips", async () => {
    const bodyDrips = Array.from({ length: 40 }, (_, index) => ({ after: index * 500, send: " " }));
    const responses = await Promise.all(
      paths.slice(0, 4).map((path) => {
        const head = buildRequestText(`POST ${path} HTTP/1.1`, [...pageHeaders, "Content-Length: 5000"]);
        return sendRawRequest(port, head, { timeout: 25_000, later: bodyDrips });
      }),
    );
    expect(responses.map(({ statuses }) => statuses)).toEqual([[408], [408], [408], [408]]);
    for (const { closedAfterMs } of responses) expect(closedAfterMs).toBeDefined();
  });

  it("are limited to 1200 pages a minute per address, without a limit for files", async () => {
    const ip = createIpAddress();
    const openPage = (path: string, from = ip) =>
      sendHttp(port, "GET", path, { ip: from, headers: { accept: "text/html", "accept-language": "fr" } });
    const [pages, files] = [
      await Promise.all(Array.from({ length: 1210 }, () => openPage("/sign-in"))),
      await Promise.all(Array.from({ length: 20 }, () => openPage("/_next/static/x.js"))),
    ];
    expect([countByStatus(pages), countByStatus(files)]).toEqual([{ 404: 1200, 429: 10 }, { 404: 20 }]);
    const { text: page, headers } = await openPage("/sign-in");
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(page).toContain(formatText("fr", "errors.too_many_requests"));
    expect((await openPage("/sign-in", createIpAddress())).status).toBe(404);
  });

  it("reject a router state that Next cannot parse", async () => {
    const getStatus = async (state: string) =>
      (
        await sendHttp(port, "GET", "/no/such/page", {
          headers: { rsc: "1", "next-router-state-tree": state },
        })
      ).status;
    for (const state of [
      "x",
      "%",
      "{}",
      "[]",
      "null",
      '["",{"children":1}]',
      `["${"a".repeat(9000)}`,
      "%5B%22%22%5D",
    ])
      expect([state.slice(0, 20), await getStatus(state)]).toEqual([state.slice(0, 20), 400]);
    expect(await getStatus(encodeURIComponent('["",{"children":["sign-in",{}]},null,null]'))).toBe(404);
  });
});

describe("every response", () => {
  it("has security headers", async () => {
    const paths = [
      "/",
      "/x.js",
      "/a/b.php",
      "/_next/nope.js",
      "/session/csrf",
      "/session/nope",
      "/media/x.webp",
    ];
    const responses = await Promise.all([
      ...[...paths, "/api/health", "/api/nope", "/trpc/nope"].map((path) => sendHttp(port, "GET", path)),
      sendHttp(port, "GET", "/", { headers: { "next-router-state-tree": "x" } }),
    ]);
    for (const { headers } of responses)
      expect(headers).toMatchObject({
        "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
      });
    const garbageResponse = await sendRawRequest(port, "GETT / HTTP/1.1\r\n\r\n");
    for (const name of ["content-security-policy: ", "x-frame-options: DENY", "referrer-policy: no-referrer"])
      expect(garbageResponse.text).toContain(name);
  });
});

describe("slow clients", () => {
  it("are cut off: headers after 15 s, a stalled body after 5 s, while others are served", async () => {
    const headerDrips = Array.from({ length: 25 }, (_, index) => ({
      after: index * 1000,
      send: `X-${index}: y\r\n`,
    }));
    const slowHeaders = sendRawRequest(port, "GET /api/health HTTP/1.1\r\nHost: x\r\n", {
      timeout: 28_000,
      later: headerDrips,
    });
    const head = buildRequestText(
      "POST /api/auth/login HTTP/1.1",
      ["Content-Type: application/json", "Content-Length: 500000"],
      "{",
    );
    const bodyDrips = Array.from({ length: 20 }, (_, index) => ({
      after: index * 500,
      send: " ".repeat(100),
    }));
    const slowBody = sendRawRequest(port, head, { timeout: 20_000, later: bodyDrips });
    const silentConnection = sendRawRequest(port, "", { timeout: 28_000 });
    const openRequests = Array.from({ length: 100 }, () =>
      sendRawRequest(port, "GET /api/health HTTP/1.1\r\nA:", { timeout: 5000 }),
    );
    const startedAt = performance.now();
    for (let index = 0; index < 20; index++)
      expect((await sendHttp(port, "GET", "/api/i18n/meta")).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await Promise.all(openRequests);
    const slowBodyResponse = await slowBody;
    expect(slowBodyResponse.statuses).toEqual([408]);
    expect(JSON.parse(getBody(slowBodyResponse.text))).toEqual({ message: "Request Timeout" });
    expect(slowBodyResponse.closedAfterMs).toBeLessThan(18_000);
    const slowHeadersResponse = await slowHeaders;
    expect(slowHeadersResponse.statuses).toEqual([408]);
    expect(slowHeadersResponse.closedAfterMs).toBeGreaterThan(14_000);
    expect(slowHeadersResponse.closedAfterMs).toBeLessThan(23_000);
    await silentConnection;
  });
});

describe("closing", () => {
  it("finishes running requests, accepts no new ones and cuts off slow ones at the deadline", async () => {
    const server = createHttpServer(async (_req, res) => void res.end("page"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ownPort = (server.address() as AddressInfo).port;
    const body = JSON.stringify({ email: "nobody@example.com", password: "wrong" });
    const head = buildRequestText("POST /api/auth/login HTTP/1.1", [
      "Content-Type: application/json",
      `X-Forwarded-For: ${createIpAddress()}`,
      `Content-Length: ${body.length}`,
    ]);
    const idleConnection = sendRawRequest(ownPort, buildRequestText("GET /api/i18n/meta HTTP/1.1", []), {
      timeout: 60_000,
    });
    const runningRequest = sendRawRequest(ownPort, head, {
      timeout: 60_000,
      later: [{ after: 600, send: body }],
    });
    const stalledRequest = sendRawRequest(ownPort, head, { timeout: 60_000 });
    await expect.poll(() => countConnections(server)).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const startedAt = performance.now();
    const closing = closeHttpServer(server, 4000);
    await expect.poll(() => server.listening).toBe(false);
    await expect(
      sendHttp(ownPort, "GET", "/api/health", { headers: { connection: "close" } }),
    ).rejects.toThrow("ECONNREFUSED");
    expect((await runningRequest).statuses).toEqual([401]);
    await closing;
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect((await idleConnection).statuses).toEqual([200]);
    expect((await idleConnection).closedAfterMs).toBeLessThan(20_000);
    expect((await stalledRequest).closedAfterMs).toBeLessThan(20_000);
  });

  it("answers connections queued when it closes", async () => {
    const server = createHttpServer(async (_req, res) => void res.end("page"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ownPort = (server.address() as AddressInfo).port;
    const request = buildRequestText("GET /api/i18n/meta HTTP/1.1", ["Connection: close"]);
    const queuedRequests = Array.from({ length: 100 }, () =>
      sendRawRequest(ownPort, request, { timeout: 30_000 }),
    );
    await nextTurn();
    await closeHttpServer(server, 20_000, 2000);
    const responses = (await Promise.all(queuedRequests)).map(({ statuses: [status = 0] }) => ({ status }));
    expect(countByStatus(responses)).toEqual({ 200: 100 });
  });

  it("answers a request that arrives on an open connection while it lingers", async () => {
    const server = createHttpServer(async (_req, res) => void res.end("page"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ownPort = (server.address() as AddressInfo).port;
    const request = buildRequestText("GET /api/i18n/meta HTTP/1.1", []);
    const lateRequest = sendRawRequest(ownPort, "", {
      timeout: 30_000,
      later: [{ after: 800, send: request }],
    });
    const idleConnection = sendRawRequest(ownPort, request, { timeout: 15_000 });
    await expect.poll(() => countConnections(server)).toBe(2);
    const closing = closeHttpServer(server, 20_000, 1500);
    await expect.poll(() => server.listening).toBe(false);
    expect((await lateRequest).statuses).toEqual([200]);
    expect((await idleConnection).closedAfterMs, "long before the deadline").toBeDefined();
    await closing;
  });
});

function countConnections(server: ReturnType<typeof createHttpServer>): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
