import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Dispatcher, Pool } from "undici";
import { isBuildFile } from "./files";
import { type Kind, NotReached, type Queue } from "./queue";

/** Handles a request for a page. Without `body`, `req` is still unread. */
export type PageHandler = (req: IncomingMessage, res: ServerResponse, body?: Uint8Array) => Promise<void>;

/** Forwards requests to the renderer's local socket through a queue. Throws `busy` as the queue does. */
export function forwardTo(socketPath: string, queue: Queue): PageHandler {
  const pool = new Pool("http://pages", { socketPath, pipelining: 1 });
  return (req, res, body) =>
    queue.run(kindOf(req.url), {
      begin: (headersTimeout) => send(pool, { req, res, body, headersTimeout }),
      finish: async (response) => {
        if (!response) return;
        res.writeHead(response.statusCode, withoutHopByHop(response.headers));
        // Either side closed the connection: close the other.
        await pipeline(response.body, res).catch(() => res.destroy());
      },
    });
}

function kindOf(path: string | undefined): Kind {
  if (isBuildFile(path)) return "file";
  // Session routes wait for an identity provider, so they do not take a page's slot.
  return path?.startsWith("/session/") ? "call" : "page";
}

interface Forwarded {
  req: IncomingMessage;
  res: ServerResponse;
  body: Uint8Array | undefined;
  headersTimeout: number;
}

async function send(
  pool: Pool,
  { req, res, body, headersTimeout }: Forwarded,
): Promise<Dispatcher.ResponseData | undefined> {
  if (res.destroyed) return undefined;
  const disconnected = new AbortController();
  const onClose = () => disconnected.abort();
  res.once("close", onClose);
  try {
    return await pool.request({
      method: req.method as Dispatcher.HttpMethod,
      path: req.url ?? "/",
      headers: req.headers,
      body: body ?? null,
      headersTimeout,
      bodyTimeout: 0,
      signal: disconnected.signal,
    });
  } catch (cause) {
    if (disconnected.signal.aborted) return undefined;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw code === "ECONNREFUSED" || code === "ENOENT" ? new NotReached(message, { cause }) : cause;
  } finally {
    res.off("close", onClose);
  }
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and those for negotiation with a proxy. */
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

/** Removes hop-by-hop headers and those named by `Connection`. */
export function withoutHopByHop<H extends Record<string, string | string[] | undefined>>(headers: H): H {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const entries = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name));
  return Object.fromEntries(entries) as H;
}
