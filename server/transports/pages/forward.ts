import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import { type Dispatcher, Pool } from "undici";
import { refuse } from "@/server/core/errors";
import { SECOND } from "@/server/core/time";
import { isFile } from "./files";
import { withoutHopByHop } from "./hop-by-hop";
import type { Pages } from "./serve";

/** Timeout for the first byte of a page; after it we answer 503. */
const FIRST_BYTE = 30 * SECOND;

/**
 * Pages rendered in parallel. One thread renders them: with more, each holds its memory for longer, and of 500 requests
 * in one moment a third fewer are answered in time.
 */
const PARALLEL = 16;

/** Session routes wait for an identity provider, so they do not take a place of a page. */
const UNLIMITED = "/session/";

/**
 * Forwards requests to the server at a local socket. Pages start in the order of their requests. Throws `busy` when that
 * server goes away before it responds, or does not respond within `timeout` milliseconds.
 */
export function forwardTo(socketPath: string, timeout = FIRST_BYTE): Pages {
  const pool = new Pool("http://pages", { socketPath, pipelining: 1 });
  const limit = pLimit(PARALLEL);
  return async (req, res, body) => {
    const deadline = performance.now() + timeout;
    const ask = async () => {
      if (res.destroyed) return undefined;
      return send(pool, { req, res, body, timeout: Math.max(1, deadline - performance.now()) });
    };
    const isLimited = !isFile(req.url) && !req.url?.startsWith(UNLIMITED);
    const response = await (isLimited ? limit(ask) : ask()).catch((cause: Error) => {
      throw refuse("busy", { retryAfter: 2, cause });
    });
    if (!response) return;
    res.writeHead(response.statusCode, withoutHopByHop(response.headers));
    // One of the two ends closed the connection: close the other one.
    await pipeline(response.body, res).catch(() => res.destroy());
  };
}

/** Whether the error of `forwardTo` means that no server listened, so that the request reached nothing. */
export function reachedNobody(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code === "ECONNREFUSED" || code === "ENOENT";
}

interface Forwarded {
  req: IncomingMessage;
  res: ServerResponse;
  body: Uint8Array | undefined;
  timeout: number;
}

/** Resolves with undefined when the client disconnected first. */
async function send(
  pool: Pool,
  { req, res, body, timeout }: Forwarded,
): Promise<Dispatcher.ResponseData | undefined> {
  const left = new AbortController();
  const leave = () => left.abort();
  res.once("close", leave);
  try {
    return await pool.request({
      method: req.method as Dispatcher.HttpMethod,
      path: req.url ?? "/",
      headers: req.headers,
      body: body ?? null,
      headersTimeout: timeout,
      bodyTimeout: 0,
      signal: left.signal,
    });
  } catch (error) {
    if (left.signal.aborted) return undefined;
    throw error;
  } finally {
    res.off("close", leave);
  }
}
