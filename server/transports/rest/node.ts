import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { refuse } from "@/server/core/errors";
import { serve, tooLarge } from "./run";

/** A body must arrive at this rate on average, or the request is given up (security: P6). */
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
    body: (limit) => readBody(req, limit),
    stream: (limit) => streamBody(req, limit),
  });
  if (res.destroyed) return;
  const { body, file } = response;
  if (body !== null) response.headers["content-length"] = String(Buffer.byteLength(body));
  // A body nobody read would be taken for the next request of this connection.
  if (!req.complete) response.headers.connection = "close";
  res.writeHead(response.status, response.headers);
  if (file) {
    // A client that goes away ends it; there is nobody left to tell.
    await pipeline(file.open(), res).catch(() => res.destroy());
    return;
  }
  // As text: node then writes head and body at once.
  res.end(body ?? undefined);
}

/** The body in pieces, under the same limits; whoever stops reading leaves the connection to be answered on. */
async function* streamBody(req: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  const pieces = req.iterator({ destroyOnReturn: false });
  const startedAt = performance.now();
  let size = 0;
  for (;;) {
    const { value, done } = await inTime(pieces.next(), () => {
      const seconds = (performance.now() - startedAt) / 1000;
      return seconds <= GRACE_SECONDS || size >= seconds * MIN_BYTES_PER_SECOND;
    });
    if (done) return;
    size += value.length;
    if (size > limit) throw tooLarge(limit);
    yield value;
  }
}

/** Waits as long as it goes fast enough. Throws `body_timeout`, and `malformed_request` for a body that breaks off. */
async function inTime<T>(next: Promise<T>, fastEnough: () => boolean): Promise<T> {
  let clock: NodeJS.Timeout | undefined;
  const slow = new Promise<never>((_, reject) => {
    clock = setInterval(() => fastEnough() || reject(refuse("body_timeout")), 1000);
  });
  try {
    return await Promise.race([next.catch(() => Promise.reject(refuse("malformed_request"))), slow]);
  } finally {
    clearInterval(clock);
  }
}

function readBody(req: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const startedAt = performance.now();
    let size = 0;
    const clock = setInterval(() => {
      const seconds = (performance.now() - startedAt) / 1000;
      if (seconds > GRACE_SECONDS && size < seconds * MIN_BYTES_PER_SECOND)
        end(() => reject(refuse("body_timeout")));
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
    // Also follows a whole body, where there is nothing to refuse.
    req.on("close", () => req.complete || end(() => reject(refuse("malformed_request"))));
  });
}
