import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Dispatcher, Pool } from "undici";
import { isFile } from "./files";
import { type Kind, NotReached, type Queue } from "./queue";

/** Responds to a request for a page. Without `body`, the body is still to be read from `req`. */
export type Pages = (req: IncomingMessage, res: ServerResponse, body?: Uint8Array) => Promise<void>;

/** Forwards requests to the server at a local socket, through a queue. Throws `busy` as the queue does. */
export function forwardTo(socketPath: string, queue: Queue): Pages {
  const pool = new Pool("http://pages", { socketPath, pipelining: 1 });
  return (req, res, body) =>
    queue.run(kindOf(req.url), {
      begin: (headersTimeout) => send(pool, { req, res, body, headersTimeout }),
      finish: async (response) => {
        if (!response) return;
        res.writeHead(response.statusCode, withoutHopByHop(response.headers));
        // One of the two ends closed the connection: close the other one.
        await pipeline(response.body, res).catch(() => res.destroy());
      },
    });
}

function kindOf(path: string | undefined): Kind {
  if (isFile(path)) return "file";
  // Session routes wait for an identity provider.
  return path?.startsWith("/session/") ? "call" : "page";
}

interface Forwarded {
  req: IncomingMessage;
  res: ServerResponse;
  body: Uint8Array | undefined;
  headersTimeout: number;
}

/** Resolves with undefined when the client disconnected first. */
async function send(
  pool: Pool,
  { req, res, body, headersTimeout }: Forwarded,
): Promise<Dispatcher.ResponseData | undefined> {
  if (res.destroyed) return undefined;
  const left = new AbortController();
  const leave = () => left.abort();
  res.once("close", leave);
  try {
    return await pool.request({
      method: req.method as Dispatcher.HttpMethod,
      path: req.url ?? "/",
      headers: req.headers,
      body: body ?? null,
      headersTimeout,
      bodyTimeout: 0,
      signal: left.signal,
    });
  } catch (cause) {
    if (left.signal.aborted) return undefined;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw code === "ECONNREFUSED" || code === "ENOENT" ? new NotReached(message, { cause }) : cause;
  } finally {
    res.off("close", leave);
  }
}

/** Headers about one connection (RFC 9110, section 7.6.1), and those by which a proxy negotiates. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-authentication-info",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "http2-settings",
]);

/** Returns headers without those about one connection, and without those that `Connection` names. */
export function withoutHopByHop<H extends Record<string, string | string[] | undefined>>(headers: H): H {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const entries = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name));
  return Object.fromEntries(entries) as H;
}
