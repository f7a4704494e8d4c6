import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { refuse } from "@/server/core/errors";
import { RawUtf8 } from "@/server/core/raw-utf8";
import { bodyTooLarge } from "./input";
import { serveRequest } from "./serve-request";

/** Aborts slower bodies, so that slow clients cannot hold connections. */
const MIN_BYTES_PER_SECOND = 10_000;
const GRACE_SECONDS = 5;

export async function serveRest(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search, ip }: { path: string; search: string; ip: string },
): Promise<void> {
  const response = await serveRequest({
    method: req.method ?? "GET",
    pathname: path,
    search,
    ip,
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : (value ?? null);
    },
    // A body sent with the headers counts as complete only after an event loop turn.
    isComplete: () => nextTurn().then(() => req.complete),
    body: (limit) => readBody(req, limit),
    stream: (limit) => streamBody(req, limit),
  });
  if (response.status !== 408) await drainBody(req);
  if (res.destroyed) return;
  const { body, file } = response;
  const encoding = RawUtf8.is(body) ? "latin1" : "utf8";
  const content = RawUtf8.is(body) ? body.bytes : body;
  if (content !== null) response.headers["content-length"] = String(Buffer.byteLength(content, encoding));
  // An unread body would be parsed as the next request of the connection.
  if (!req.complete) response.headers.connection = "close";
  res.writeHead(response.status, response.headers);
  if (file) {
    // A disconnected client ends the stream: no response is possible.
    await pipeline(file.open(), res).catch(() => res.destroy());
    return;
  }
  // Text lets Node write head and body in one call.
  res.end(content ?? "", encoding);
}

const DRAIN_BYTES = 128 * 2 ** 20;
const DRAIN_MS = 5000;

/** Most clients read the response only after sending, and would otherwise see a broken connection. */
export async function drainBody(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    const clock = setTimeout(end, DRAIN_MS);
    function read(chunk: Buffer): void {
      size += chunk.length;
      if (size > DRAIN_BYTES) end();
    }
    function end(): void {
      clearTimeout(clock);
      req.off("data", read).off("end", end).off("close", end);
      resolve();
    }
    req.on("data", read).on("end", end).on("close", end);
    req.on("error", () => {});
    req.resume();
  });
}

/** A reader that stops early keeps the connection usable for the response. */
async function* streamBody(req: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  const pieces = req.iterator({ destroyOnReturn: false });
  let size = 0;
  // Counts only time spent waiting for the client, not for a slow reader.
  let waited = 0;
  let waitStartedAt = 0;
  let rejectRead: ((reason: Error) => void) | undefined;
  const clock = setInterval(() => {
    if (isTooSlow(size, waited + performance.now() - waitStartedAt)) rejectRead?.(refuse("body_timeout"));
  }, 1000);
  try {
    for (;;) {
      waitStartedAt = performance.now();
      const { value, done } = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        rejectRead = reject;
        pieces.next().then(resolve, () => reject(refuse("malformed_request")));
      });
      if (done) return;
      waited += performance.now() - waitStartedAt;
      size += value.length;
      if (size > limit) throw bodyTooLarge(limit);
      yield value;
    }
  } finally {
    clearInterval(clock);
  }
}

function isTooSlow(bytes: number, ms: number): boolean {
  const seconds = ms / 1000;
  return seconds > GRACE_SECONDS && bytes < seconds * MIN_BYTES_PER_SECOND;
}

/** Receives a body within size and time limits, for handlers without limits of their own. */
export async function receiveBody(req: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const { "content-length": length = "0", "transfer-encoding": encoding } = req.headers;
  if (length === "0" && encoding === undefined) return undefined;
  if (Number(length) > limit) throw bodyTooLarge(limit);
  return readBody(req, limit);
}

async function readBody(req: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (req.complete && req.readableLength > 0 && req.readableLength <= limit) return req.read() as Buffer;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const startedAt = performance.now();
    let size = 0;
    const clock = setInterval(() => {
      if (isTooSlow(size, performance.now() - startedAt)) end(() => reject(refuse("body_timeout")));
    }, 1000);
    function end(settle: () => void): void {
      clearInterval(clock);
      req.removeAllListeners("data");
      settle();
    }
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) end(() => reject(bodyTooLarge(limit)));
      else chunks.push(chunk);
    });
    req.on("end", () => end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))));
    req.on("error", () => end(() => reject(refuse("malformed_request"))));
    req.on("close", () => req.complete || end(() => reject(refuse("malformed_request"))));
  });
}
