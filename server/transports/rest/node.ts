import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { refuse } from "@/server/core/errors";
import { Unread } from "@/server/core/unread";
import { tooLarge } from "./input";
import { serve } from "./run";

/** A slower body is given up, so that slow clients cannot hold connections for long. */
const MIN_BYTES_PER_SECOND = 10_000;
const GRACE_SECONDS = 5;

/** Serves `/api/**` at the front door, without the framework. */
export async function serveRest(
  req: IncomingMessage,
  res: ServerResponse,
  { path, search, ip }: { path: string; search: string; ip: string },
): Promise<void> {
  const response = await serve({
    method: req.method ?? "GET",
    pathname: path,
    search,
    ip,
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : (value ?? null);
    },
    // The event loop has to turn once before a body that came with the headers counts as complete.
    isWhole: () => nextTurn().then(() => req.complete),
    body: (limit) => readBody(req, limit),
    stream: (limit) => streamBody(req, limit),
  });
  if (response.status !== 408) await drain(req);
  if (res.destroyed) return;
  const { body, file } = response;
  const encoding = Unread.is(body) ? "latin1" : "utf8";
  const content = Unread.is(body) ? body.bytes : body;
  if (content !== null) response.headers["content-length"] = String(Buffer.byteLength(content, encoding));
  // An unread body would be taken for the next request of this connection.
  if (!req.complete) response.headers.connection = "close";
  res.writeHead(response.status, response.headers);
  if (file) {
    // A client that goes away ends the stream, and nobody is left to respond to.
    await pipeline(file.open(), res).catch(() => res.destroy());
    return;
  }
  // Passed as text: node then writes head and body at once.
  res.end(content ?? "", encoding);
}

/** What is read of a body that nobody wants, in bytes and in milliseconds. */
const DRAIN_BYTES = 128 * 2 ** 20;
const DRAIN_MS = 5000;

/**
 * Reads what is left of a body, within bounds: most clients do not look at a response before they have sent theirs, and see a
 * broken connection instead.
 */
export async function drain(req: IncomingMessage): Promise<void> {
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
    // What breaks off meanwhile is no news: the response is made.
    req.on("error", () => {});
    req.resume();
  });
}

/**
 * The body in chunks, under the same limits. A reader that stops early leaves the connection usable for the response.
 * Throws `body_timeout`, and `malformed_request` for a body that breaks off.
 */
async function* streamBody(req: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  const pieces = req.iterator({ destroyOnReturn: false });
  let size = 0;
  // What the reader takes for itself, at a slow disk, is not the sender's.
  let waited = 0;
  let askedAt = 0;
  let giveUp: ((reason: Error) => void) | undefined;
  const clock = setInterval(() => {
    if (isTooSlow(size, waited + performance.now() - askedAt)) giveUp?.(refuse("body_timeout"));
  }, 1000);
  try {
    for (;;) {
      askedAt = performance.now();
      const { value, done } = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        giveUp = reject;
        pieces.next().then(resolve, () => reject(refuse("malformed_request")));
      });
      if (done) return;
      waited += performance.now() - askedAt;
      size += value.length;
      if (size > limit) throw tooLarge(limit);
      yield value;
    }
  } finally {
    clearInterval(clock);
  }
}

/** Whether that many bytes are too few for that many milliseconds. */
function isTooSlow(bytes: number, ms: number): boolean {
  const seconds = ms / 1000;
  return seconds > GRACE_SECONDS && bytes < seconds * MIN_BYTES_PER_SECOND;
}

/**
 * Receives the whole body of a request, for what would wait for it for ever and take any size. Undefined when there is
 * none; throws `body_too_large` (at once, when its length is announced), `body_timeout` and `malformed_request`.
 */
export async function receiveBody(req: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const { "content-length": length = "0", "transfer-encoding": encoding } = req.headers;
  if (length === "0" && encoding === undefined) return undefined;
  if (Number(length) > limit) throw tooLarge(limit);
  return readBody(req, limit);
}

async function readBody(req: IncomingMessage, limit: number): Promise<Uint8Array> {
  // Most bodies came with their head.
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
      if (size > limit) end(() => reject(tooLarge(limit)));
      else chunks.push(chunk);
    });
    req.on("end", () => end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))));
    req.on("error", () => end(() => reject(refuse("malformed_request"))));
    // Also fires after a complete body, when there is nothing to reject.
    req.on("close", () => req.complete || end(() => reject(refuse("malformed_request"))));
  });
}
