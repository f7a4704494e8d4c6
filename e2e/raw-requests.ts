import { connect } from "node:net";

/* Malformed HTTP requests, reproducible from a seed, sent over raw sockets. */

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface RawRequest {
  pieces: Buffer[];
  pauseMs: number;
  /** After the last write: wait for the response, half-close, or destroy the connection. */
  end: "wait" | "half" | "break";
}

const METHODS = ["GET", "GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const UNUSUAL_METHODS = [
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "QUERY",
  "PURGE",
  "M-SEARCH",
  "get",
  "GETT",
  "",
  "\u00e9",
];

const UNUSUAL_TARGETS = [
  "*",
  "/%",
  "/%E0%A4%A",
  "/%00",
  "//evil.example/x",
  "http://evil.example/api/health",
  "http://",
  "/../../etc/passwd",
  "/%2e%2e/%2e%2e/api/health",
  "/x\\..\\api",
  "/?a[b][c]=1&a[b]=2&__proto__=3",
  "/é",
  "/sign-in#part",
  "/_next/image?url=%2Fmedia%2Fa.png&w=32&q=75",
  "/_next/data/x/index.json",
  "/_next/static/%2e%2e/x.js",
  "/__nextjs_original-stack-frame",
  `/${"a".repeat(6000)}`,
  `/?${"a=1&".repeat(3000)}`,
];

const HEADERS = [
  "Trailer: x",
  "TE: trailers, deflate;q=0.5",
  "Keep-Alive: timeout=5",
  "Upgrade: websocket",
  "Upgrade: h2c",
  "HTTP2-Settings: AAMAAABk",
  "Proxy-Connection: keep-alive",
  "Proxy-Authorization: Basic eDp5",
  "Connection: cookie, host, x-forwarded-for",
  "Connection: upgrade",
  "Expect: 100-continue",
  "Expect: 200-ok",
  "Host: a@b",
  "Host: [::1",
  "Host: ",
  "Host: \u00fc.example:99999",
  "Cookie: session=dss_x; locale=xx; %=%; =; a",
  `Cookie: ${"a=1; ".repeat(500)}`,
  "Cookie: session=%E0%A4%A; sign-in-outcome=x; __Host-session=1",
  "Accept-Language: ,,;q=x,tr-TR-x-y;q=9",
  "Accept: text/html",
  "Accept: text/x-component",
  "Accept-Encoding: br;q=0, *;q=0",
  "Range: bytes=9-1",
  "Range: bytes=-0,5-,x",
  'If-Match: "x"',
  "If-None-Match: *",
  "If-Modified-Since: yesterday",
  "If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT",
  "If-Range: x",
  "Next-Router-State-Tree: %5B%22",
  "Next-Router-Prefetch: 1",
  "Next-Url: //x",
  "Next-Action: 0123456789abcdef",
  "RSC: 1",
  "x-middleware-subrequest: middleware:middleware",
  "x-middleware-rewrite: http://evil.example/",
  "x-invoke-path: /x",
  "x-matched-path: /%E0",
  "x-nextjs-data: 1",
  "x-forwarded-host: evil.example",
  "x-forwarded-proto: gopher",
  "x-http-method-override: DELETE",
  "Authorization: Bearer dsu_x",
  "Authorization: Basic %%%",
  "X-API-Key: dsk_x",
  "Idempotency-Key: \u00e9",
  "Origin: null",
  "Origin: http://[",
  "Content-Encoding: gzip",
  "Sec-WebSocket-Key: x",
  "traceparent: 00-zz-zz-zz",
  "X-Odd: \u0080\u00ff",
  `X-Long: ${"x".repeat(8000)}`,
  `X-Huge: ${"x".repeat(20_000)}`,
  " folded: x",
  "No-Colon",
  "Bad Name: x",
  "X-Nul: \u0000",
];

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "text/plain",
  "application/",
  "",
];

const BODIES = [
  "",
  "{",
  "null",
  "[]",
  '"x"',
  "1e999",
  '{"a":1,"a":2}',
  '{"__proto__":{"admin":true}}',
  `${"[".repeat(500)}${"]".repeat(500)}`,
  '{"email":"a@example.com","password":"x"}',
  '{"json":null}',
  '{"0":{"body":{}}}',
  "csrfToken=x&token=y",
  "csrfToken[]=x&token[]=y",
  "%E0%A4%A=%",
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n--b--\r\n',
  "--b\r\ncontent-disposition: form-data\r\n\r\nx",
  "--b--",
  "\u00ff\u00fe\u0000",
  "a".repeat(70_000),
];

/** The order of random choices must not change: it makes a run reproducible from its seed. */
export function* generateRawRequests(seed: number, count: number, paths: string[]): Generator<RawRequest> {
  const nextRandom = createRandom(seed);
  const pick = <T>(items: readonly T[]) => items[Math.floor(nextRandom() * items.length)]!;
  const chance = (probability: number) => nextRandom() < probability;
  for (let index = 0; index < count; index++) {
    const method = chance(0.08) ? pick(UNUSUAL_METHODS) : pick(METHODS);
    const version = chance(0.03) ? pick(["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "XTP/1.1", ""]) : "HTTP/1.1";
    const lines = [`${method} ${chance(0.12) ? pick(UNUSUAL_TARGETS) : pickTarget()} ${version}`];
    if (!chance(0.03)) lines.push("Host: localhost");
    // A new address each, because rate limits count by address.
    lines.push(`X-Forwarded-For: 10.${[1, 2, 3].map(() => Math.floor(nextRandom() * 256)).join(".")}`);
    for (let remaining = Math.floor(nextRandom() * 4); remaining > 0; remaining--) lines.push(pick(HEADERS));
    const body = chance(0.4) || /^P/.test(method) ? pick(BODIES) : "";
    if (body) lines.push(`Content-Type: ${pick(CONTENT_TYPES)}`);
    const [headers, content] = frameBody(body);
    const text = `${[...lines, ...headers].join("\r\n")}\r\n\r\n${content}`;
    yield splitIntoPieces(Buffer.from(text, "latin1"));
  }

  function pickTarget(): string {
    const path = pick(paths).replace(/\{[^}]*\}/g, () =>
      pick(["1", "0", "-1", "99999999999", "x", "%", "1%00", "null"]),
    );
    return chance(0.2)
      ? path +
          pick(["/", "//", "?", "?page=x&per_page=-1", "?input=%", "?batch=1&input={", ";a", "%20", "/.."])
      : path;
  }

  function frameBody(body: string): [headers: string[], content: string] {
    const { length } = Buffer.from(body, "latin1");
    const roll = nextRandom();
    if (roll < 0.06)
      return [
        ["Transfer-Encoding: chunked"],
        `${length.toString(16)}\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
      ];
    if (roll < 0.09)
      return [
        ["Transfer-Encoding: chunked"],
        pick(["zz\r\nx", "-1\r\n", "5\r\nab\r\n0\r\n\r\n", "ffffffffff\r\nx", "0;a=b\r\n\r\n"]),
      ];
    if (roll < 0.11) return [[`Content-Length: ${length}`, "Transfer-Encoding: chunked"], body];
    if (roll < 0.13) return [[`Content-Length: ${length}`, `Content-Length: ${length + 1}`], body];
    if (roll < 0.15)
      return [[`Content-Length: ${pick(["-1", "x", "1e3", "99999999999999999999", `${length + 9}`])}`], body];
    if (roll < 0.16)
      return [[`Transfer-Encoding: ${pick(["gzip", "chunked, gzip", "identity", " chunked"])}`], body];
    return [body ? [`Content-Length: ${length}`] : [], body];
  }

  function splitIntoPieces(bytes: Buffer): RawRequest {
    const roll = nextRandom();
    const splitAt = Math.floor(nextRandom() * bytes.length);
    if (roll < 0.04) return { pieces: [bytes.subarray(0, splitAt)], pauseMs: 0, end: "break" };
    if (roll < 0.08)
      return { pieces: [bytes.subarray(0, splitAt), bytes.subarray(splitAt)], pauseMs: 20, end: "wait" };
    if (roll < 0.1) return { pieces: [bytes], pauseMs: 0, end: "break" };
    if (roll < 0.12) return { pieces: [bytes, bytes], pauseMs: 0, end: "half" };
    return { pieces: [bytes], pauseMs: 0, end: roll < 0.2 ? "half" : "wait" };
  }
}

const RESPONSE_TIMEOUT_MS = 1500;

/** Sends a request and returns the status of the first response, or 0 without one. */
export function sendRawRequest(port: number, { pieces, pauseMs, end }: RawRequest): Promise<number> {
  return new Promise((resolve) => {
    let responseText = "";
    const socket = connect(port, "127.0.0.1", () => void write());
    const finish = () => {
      socket.destroy();
      resolve(
        Number(
          /^HTTP\/1\.1 (\d{3})/.exec(responseText.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, ""))?.[1] ?? 0,
        ),
      );
    };
    socket.setTimeout(RESPONSE_TIMEOUT_MS, finish);
    socket.on("data", (chunk) => {
      responseText += chunk.toString("latin1");
      if (/^HTTP\/1\.1 (?!100)\d{3}/.test(responseText)) finish();
    });
    socket.on("error", () => {});
    socket.on("close", finish);
    async function write(): Promise<void> {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        if (pauseMs) await new Promise((resume) => setTimeout(resume, pauseMs));
      }
      if (end === "break") socket.destroy();
      if (end === "half") socket.end();
    }
  });
}
