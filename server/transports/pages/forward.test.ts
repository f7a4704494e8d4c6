import { mkdtempSync, rmSync } from "node:fs";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { text } from "@/server/core/texts";
import { openFrontDoor } from "@/server/front-door";
import { send } from "@/server/testing/http";
import { exchange, requestText } from "@/server/testing/socket";
import { forwardTo } from "./forward";
import { Queue } from "./queue";

/** A front door before a renderer of pages at a local socket. */
async function open(renderer: RequestListener, limits: ConstructorParameters<typeof Queue>[0] = {}) {
  const directory = mkdtempSync(join(tmpdir(), "tellal-forward-"));
  const behind = createServer({ keepAliveTimeout: 0 }, renderer);
  const socketPath = join(directory, "socket");
  await new Promise<void>((resolve) => behind.listen(socketPath, resolve));
  const door = openFrontDoor(forwardTo(socketPath, new Queue(limits)));
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const server of [door, behind]) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(directory, { recursive: true, force: true });
  });
  return { behind, port: (door.address() as AddressInfo).port };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const page = { accept: "text/html", "accept-language": "de" };

it("hands over what was asked, and hands back what was said", async () => {
  const { port } = await open(async (req, res) => {
    const { method, url, headers } = req;
    res.setHeader("set-cookie", ["a=1", "b=2"]);
    res.writeHead(201, { "x-frame-options": "SAMEORIGIN", "content-type": "application/json" });
    res.end(JSON.stringify({ method, url, expect: headers.expect, body: await bodyOf(req) }));
  });
  for (const method of ["POST", "GET"]) {
    const raw = "x".repeat(60_000);
    const { status, headers, json } = await send(port, method, "/session/a?b=c", { raw });
    expect({ status, json }).toEqual({ status: 201, json: { method, url: "/session/a?b=c", body: raw } });
    expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    // A page's own header wins; the front door sets those that it has not.
    expect(headers).toMatchObject({ "x-frame-options": "SAMEORIGIN", "x-content-type-options": "nosniff" });
  }
  const head = await send(port, "HEAD", "/a");
  expect(head).toMatchObject({ status: 201, text: "" });
});

describe("headers about one connection", () => {
  const lines = [
    "Trailer: x",
    "TE: trailers",
    "Keep-Alive: timeout=5",
    "Proxy-Connection: keep-alive",
    "Proxy-Authorization: Basic eDp5",
    "Upgrade: websocket",
    "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
    "Connection: x-secret, close\r\nX-Secret: 1",
  ];

  it.each(lines)("end at the front door: %s", async (line) => {
    const { port } = await open((req, res) => res.end(Object.keys(req.headers).sort().join()));
    const allowed = "connection,content-length,host,x-forwarded-for,x-forwarded-host,x-forwarded-proto";
    for (const [request, body] of [
      ["GET /sign-in", ""],
      ["HEAD /sign-in", ""],
      ["POST /session/a", "3\r\nabc\r\n0\r\nX: 1\r\n\r\n"],
    ] as const) {
      const framing = body ? ["Transfer-Encoding: chunked"] : [];
      const close = line.startsWith("Connection") ? [] : ["Connection: close"];
      const { text, statuses } = await exchange(
        port,
        requestText(`${request} HTTP/1.1`, [line, ...framing, ...close], body),
      );
      expect(statuses, request).toEqual([200]);
      const seen = text
        .slice(text.indexOf("\r\n\r\n") + 4)
        .split("\r\n")
        .find((each) => each.includes("host"));
      for (const name of seen?.split(",") ?? []) expect(allowed.split(",")).toContain(name);
    }
    expect((await send(port, "GET", "/")).status, "the server goes on").toBe(200);
  });

  it("are not taken over from a page's response", async () => {
    const { port } = await open((_req, res) => {
      res.writeHead(200, {
        connection: "x-internal",
        "x-internal": "1",
        "keep-alive": "timeout=1",
        "x-page": "1",
      });
      res.end("page");
    });
    const { headers, text } = await send(port, "GET", "/");
    expect(text).toBe("page");
    expect(headers).toMatchObject({ "x-page": "1" });
    expect(headers["x-internal"]).toBeUndefined();
  });
});

it("reads pages only: their forms go to the session routes", async () => {
  const { port } = await open((_req, res) => res.end("page"));
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const { status, headers } = await send(port, method, "/dashboard");
    expect({ method, status, allow: headers.allow }).toEqual({ method, status: 405, allow: "GET, HEAD" });
  }
  expect((await send(port, "POST", "/session/callback/token")).status).toBe(200);
});

it("names its own host to the pages when the client names none that is valid", async () => {
  const { port } = await open((req, res) => res.end(req.headers.host));
  for (const [host, seen] of [
    ["portal.example.com:8443", "portal.example.com:8443"],
    ["[::1", new URL(process.env.APP_URL ?? "http://localhost:3000").host],
  ] as const)
    expect((await send(port, "GET", "/", { headers: { host } })).text, host).toBe(seen);
});

it("asks for pages and files as a whole, and for no path that cannot be decoded", async () => {
  const { port } = await open((req, res) => res.end(Object.keys(req.headers).join()));
  for (const [name, value] of [
    ["if-match", '"x"'],
    ["if-unmodified-since", "Mon, 01 Jan 1990 00:00:00 GMT"],
    ["range", "bytes=9-1"],
  ] as const) {
    const { status, text } = await send(port, "GET", "/icon.svg", { headers: { [name]: value } });
    expect({ name, status, passed: text.split(",").includes(name) }).toEqual({
      name,
      status: 200,
      passed: false,
    });
  }
  for (const path of ["/%E0%A4%A", "/%", "/session/callback/%E0"])
    expect((await send(port, "GET", path)).status, path).toBe(400);
});

it("passes on a response as it is made", async () => {
  let finish = () => {};
  const { port } = await open((_req, res) => {
    res.write("first");
    finish = () => res.end(" last");
  });
  const response = await new Promise<IncomingMessage>((resolve) =>
    get({ port, host: "127.0.0.1", path: "/" }, resolve),
  );
  const first = await new Promise<Buffer>((resolve) => response.once("data", resolve));
  expect(first.toString()).toBe("first");
  finish();
  expect(await bodyOf(response)).toBe(" last");
});

it("stops what a client does not wait for any more, before and amid the response", async () => {
  for (const early of [true, false]) {
    let begin = () => {};
    let stop = () => {};
    const [begun, stopped] = [
      new Promise<void>((resolve) => (begin = resolve)),
      new Promise<void>((resolve) => (stop = resolve)),
    ];
    const { port } = await open((_req, res) => {
      res.once("close", stop);
      if (!early) res.write("some");
      begin();
    });
    const asked = get({ port, host: "127.0.0.1", path: "/", agent: false });
    asked.on("error", () => {});
    if (early) await begun;
    else await new Promise((resolve) => asked.once("response", resolve));
    asked.destroy();
    await stopped;
  }
});

it("says so when the renderer goes away: a page for people, JSON for scripts, a broken line amid a response", async () => {
  const { port, behind } = await open((req, res) => {
    if (req.url === "/amid") res.write("some", () => res.destroy());
    else req.socket.destroy();
  });
  const told = await send(port, "GET", "/", { headers: page });
  expect(told).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect(told.text).toContain(text("de", "errors.busy"));
  expect((await send(port, "GET", "/")).json).toEqual({ message: "Service Unavailable" });
  await expect(send(port, "GET", "/amid")).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  behind.close();
  behind.closeAllConnections();
  expect((await send(port, "GET", "/", { headers: page })).status).toBe(503);
});

it("says so when a page does not begin in time, and stops it; one that goes on may take longer", async () => {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  let finish = () => {};
  const { port } = await open(
    (req, res) => {
      if (req.url === "/never") return res.once("close", stop);
      res.write("first");
      finish = () => res.end(" last");
    },
    { timeout: 300 },
  );
  const slow = new Promise<IncomingMessage>((resolve) =>
    get({ port, host: "127.0.0.1", path: "/" }, resolve),
  );
  const response = await slow;
  const told = await send(port, "GET", "/never", { headers: page });
  expect(told).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect(told.text).toContain(text("de", "errors.busy"));
  await stopped;
  finish();
  expect(await bodyOf(response)).toBe("first last");
});

it("takes so many pages at once, says so to further ones, and has files for those that are there", async () => {
  const waiting: Array<() => void> = [];
  const { port } = await open(
    (req, res) => {
      if (req.url!.startsWith("/_next/static/")) res.end("file");
      else waiting.push(() => res.end("page"));
    },
    { most: 3 },
  );
  const taken = [1, 2, 3].map(() => send(port, "GET", "/"));
  await expect.poll(() => waiting.length).toBe(3);
  const refused = await send(port, "GET", "/", { headers: page });
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect((await send(port, "GET", "/_next/static/a.js")).text).toBe("file");
  for (const finish of waiting.splice(0)) finish();
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const next = send(port, "GET", "/");
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]!();
  expect((await next).text).toBe("page");
});

it("begins so many pages at once, in their order; files do not wait, and who went away is not served", async () => {
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const { port } = await open((req, res) => {
    begun.push(req.url!);
    // A page that has begun, and is read slowly, keeps nobody waiting.
    finish.set(req.url!, () => res.write("begun"));
    if (req.url!.startsWith("/_next") || req.url!.startsWith("/session")) res.end();
  });
  const asked: Promise<IncomingMessage>[] = [];
  for (let page = 1; page <= 18; page++) {
    asked.push(new Promise((resolve) => get({ port, host: "127.0.0.1", path: `/${page}` }, resolve)));
    await expect.poll(() => begun.length).toBe(Math.min(page, 16));
  }
  for (const path of ["/_next/static/a.js", "/session/csrf"])
    expect((await send(port, "GET", path)).status).toBe(200);
  expect(begun.filter((path) => /^\/\d/.test(path))).toHaveLength(16);

  const gone = get({ port, host: "127.0.0.1", path: "/gone" }).on("error", () => {});
  await new Promise((resolve) => gone.once("finish", resolve));
  gone.destroy();
  asked.push(new Promise((resolve) => get({ port, host: "127.0.0.1", path: "/19" }, resolve)));

  for (const [done, next] of [
    [5, 17],
    [9, 18],
    [17, 19],
  ]) {
    finish.get(`/${done}`)!();
    await expect.poll(() => begun.at(-1)).toBe(`/${next}`);
  }
  for (let page = 1; page <= 19; page++) finish.get(`/${page}`)!();
  for (const response of await Promise.all(asked)) response.destroy();
});
