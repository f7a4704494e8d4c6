import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Dispatcher, Pool } from "undici";
import { isBuildFile } from "./build-files";
import { RendererUnreachableError, type RenderQueue, type RequestKind } from "./queue";

/** Handles a request for a page. Without `body`, `req` is still unread. */
export type PageHandler = (req: IncomingMessage, res: ServerResponse, body?: Uint8Array) => Promise<void>;

/** Forwards requests to the renderer's local socket through a queue. Throws `busy` if the queue is full. */
export function createForwarder(socketPath: string, queue: RenderQueue): PageHandler {
  const pool = new Pool("http://pages", { socketPath, pipelining: 1 });
  return (req, res, body) =>
    queue.run(getRequestKind(req.url), {
      begin: (headersTimeout) => sendToRenderer(pool, { req, res, body, headersTimeout }),
      finish: async (response) => {
        if (!response) return;
        res.writeHead(response.statusCode, removeHopByHopHeaders(response.headers));
        await pipeline(response.body, res).catch(() => res.destroy());
      },
    });
}

function getRequestKind(path: string | undefined): RequestKind {
  if (isBuildFile(path)) return "file";
  // Session routes wait for an identity provider, so they do not take a page's slot.
  return path?.startsWith("/session/") ? "call" : "page";
}

interface ForwardedRequest {
  req: IncomingMessage;
  res: ServerResponse;
  body: Uint8Array | undefined;
  headersTimeout: number;
}

async function sendToRenderer(
  pool: Pool,
  { req, res, body, headersTimeout }: ForwardedRequest,
): Promise<Dispatcher.ResponseData | undefined> {
  if (res.destroyed) return undefined;
  const disconnectController = new AbortController();
  const onClose = () => disconnectController.abort();
  res.once("close", onClose);
  try {
    return await pool.request({
      method: req.method as Dispatcher.HttpMethod,
      path: req.url ?? "/",
      headers: req.headers,
      body: body ?? null,
      headersTimeout,
      bodyTimeout: 0,
      signal: disconnectController.signal,
    });
  } catch (cause) {
    if (disconnectController.signal.aborted) return undefined;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw code === "ECONNREFUSED" || code === "ENOENT"
      ? new RendererUnreachableError(message, { cause })
      : cause;
  } finally {
    res.off("close", onClose);
  }
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and those for negotiation with a proxy. */
const HOP_BY_HOP_HEADERS = new Set([
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

export function removeHopByHopHeaders<H extends Record<string, string | string[] | undefined>>(
  headers: H,
): H {
  const namedHeaders = String(headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const entries = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP_HEADERS.has(name) && !namedHeaders.includes(name),
  );
  return Object.fromEntries(entries) as H;
}
