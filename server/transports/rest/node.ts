import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createError } from "@/server/core/errors";
import { RawUtf8 } from "@/server/core/raw-utf8";
import { createBodyTooLargeError } from "./input";
import { serveRequest } from "./serve-request";

/** Aborts slower bodies, so that slow clients cannot hold connections. */
const MIN_BODY_BYTES_PER_SECOND = 10_000;
const SLOW_BODY_GRACE_SECONDS = 5;

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
    readBody: (limit) => readBody(req, limit),
    streamBody: (limit) => streamBody(req, limit),
  });
  if (response.status !== 408) await drainBody(req);
  if (res.destroyed) return;
  const { body, file } = response;
  const encoding = RawUtf8.is(body) ? "latin1" : "utf8";
  const content = RawUtf8.is(body) ? body.latin1Text : body;
  if (content !== null) response.headers["content-length"] = String(Buffer.byteLength(content, encoding));
  // An unread body would be parsed as the next request of the connection.
  if (!req.complete) response.headers.connection = "close";
  res.writeHead(response.status, response.headers);
  if (file) {
    await pipeline(file.open(), res).catch(() => res.destroy());
    return;
  }
  // Text lets Node write head and body in one call.
  res.end(content ?? "", encoding);
}

const MAX_DRAIN_BYTES = 128 * 2 ** 20;
const DRAIN_TIMEOUT_MS = 5000;

/** Discards the rest of a body: most clients read the response only after they have sent everything. */
export async function drainBody(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    const timer = setTimeout(finishDrain, DRAIN_TIMEOUT_MS);
    function countChunk(chunk: Buffer): void {
      size += chunk.length;
      if (size > MAX_DRAIN_BYTES) finishDrain();
    }
    function finishDrain(): void {
      clearTimeout(timer);
      req.off("data", countChunk).off("end", finishDrain).off("close", finishDrain);
      resolve();
    }
    req.on("data", countChunk).on("end", finishDrain).on("close", finishDrain);
    req.on("error", () => {});
    req.resume();
  });
}

/** Yields the chunks of a body. If the consumer stops early, the connection can still send the response. */
async function* streamBody(req: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  const chunks = req.iterator({ destroyOnReturn: false });
  let size = 0;
  // Counts only time spent waiting for the client, not for a slow reader.
  let waitedMs = 0;
  let waitStartedAt = 0;
  let rejectRead: ((reason: Error) => void) | undefined;
  const timer = setInterval(() => {
    if (isTooSlow(size, waitedMs + performance.now() - waitStartedAt))
      rejectRead?.(createError("body_timeout"));
  }, 1000);
  try {
    for (;;) {
      waitStartedAt = performance.now();
      const { value, done } = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        rejectRead = reject;
        chunks.next().then(resolve, () => reject(createError("malformed_request")));
      });
      if (done) return;
      waitedMs += performance.now() - waitStartedAt;
      size += value.length;
      if (size > limit) throw createBodyTooLargeError(limit);
      yield value;
    }
  } finally {
    clearInterval(timer);
  }
}

function isTooSlow(bytes: number, ms: number): boolean {
  const seconds = ms / 1000;
  return seconds > SLOW_BODY_GRACE_SECONDS && bytes < seconds * MIN_BODY_BYTES_PER_SECOND;
}

/** Receives a body of at most `limit` bytes. Throws if it is larger or arrives too slowly. */
export async function receiveBody(req: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const { "content-length": length = "0", "transfer-encoding": encoding } = req.headers;
  if (length === "0" && encoding === undefined) return undefined;
  if (Number(length) > limit) throw createBodyTooLargeError(limit);
  return readBody(req, limit);
}

async function readBody(req: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (req.complete && req.readableLength > 0 && req.readableLength <= limit) return req.read() as Buffer;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const startedAt = performance.now();
    let size = 0;
    const timer = setInterval(() => {
      if (isTooSlow(size, performance.now() - startedAt))
        finishRead(() => reject(createError("body_timeout")));
    }, 1000);
    function finishRead(settle: () => void): void {
      clearInterval(timer);
      req.removeAllListeners("data");
      settle();
    }
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) finishRead(() => reject(createBodyTooLargeError(limit)));
      else chunks.push(chunk);
    });
    req.on("end", () => finishRead(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))));
    req.on("error", () => finishRead(() => reject(createError("malformed_request"))));
    req.on("close", () => req.complete || finishRead(() => reject(createError("malformed_request"))));
  });
}
