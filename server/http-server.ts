import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type Socket, Server as SocketServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { env } from "./core/env";
import { type AppError, refuse } from "./core/errors";
import { matchLocale } from "./core/locale";
import { log } from "./core/log";
import { phase } from "./core/phase";
import { PORTAL_PROOF_PATH } from "./core/portal";
import { underMaintenance } from "./infrastructure/maintenance";
import { withSpan } from "./infrastructure/tracing/trace";
import { guardDemoTools } from "./transports/demo-tools-guard";
import { serveHook } from "./transports/hooks";
import { serveMedia } from "./transports/media";
import type { PageHandler } from "./transports/pages/forward";
import { outageResponse } from "./transports/pages/outage-page";
import { servePages } from "./transports/pages/serve";
import { servePortalProof } from "./transports/portal-proof";
import { toAppError } from "./transports/render-error";
import { clientAddress, trustForwardedFor } from "./transports/request-origin";
import { limitHeaders, securityHeaders } from "./transports/rest/headers";
import { drainBody, receiveBody, serveRest } from "./transports/rest/node";
import { failureResponse } from "./transports/rest/response";
import { isSandbox, serveSandbox } from "./transports/sandbox";
import { SECURITY_TXT_PATH, serveSecurityTxt } from "./transports/security-txt";
import { serveTrpc } from "./transports/trpc/node";

const MAINTENANCE_RETRY = 120;

/** A `.` or `..` segment, possibly written with `%2e`. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/**
 * Creates the HTTP server: serves the API, tRPC, media and hooks itself and forwards other requests to Next.
 */
export function createHttpServer(pages: PageHandler): Server {
  trustForwardedFor();
  const server = createServer(
    {
      headersTimeout: 15_000,
      // Uploads may take long. `transports/rest/node.ts` cuts off a stalled body.
      requestTimeout: 600_000,
      // Longer than the idle timeout of common proxies, so they never reuse a socket we just closed.
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      connectionsCheckingInterval: 5_000,
    },
    (req, res) => {
      // An unhandled `error` event would end the process.
      res.on("error", (cause) => log.error({ event: "http_server.failed", cause }));
      const span = { name: req.method ?? "GET", kind: "server", parent: req.headers.traceparent } as const;
      withSpan(span, () => respond(req, res, pages)).catch((error: unknown) => {
        fail(req, res, error).catch((cause: unknown) => {
          log.error({ event: "http_server.failed", cause });
          res.destroy();
        });
      });
    },
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => rejectNonHttp(error, socket));
  return server;
}

async function respond(req: IncomingMessage, res: ServerResponse, pages: PageHandler): Promise<void> {
  // Makes proxies open their next connection to another server.
  if (phase() === "draining") res.setHeader("connection", "close");
  const { path, search } = parseTarget(req.url ?? "/");
  const forwarded = req.headers["x-forwarded-for"];
  const ip = clientAddress(
    req.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(", ") : forwarded,
  );
  guardDemoTools(path, req.headers);
  if (underMaintenance() && !/^\/api\/health(\/|$)/.test(path)) return sendMaintenance(req, res);
  if (path === "/api" || path.startsWith("/api/")) return serveRest(req, res, { path, search, ip });
  if (!path.startsWith("/")) throw refuse("malformed_request");
  if (req.method === "TRACE") throw methodNotAllowed(req.method, path);
  if (path.startsWith("/trpc/")) return serveTrpc(req, res, { path: path.slice("/trpc/".length), ip });
  if (path.startsWith("/media/")) {
    await receiveBody(req, 0);
    return serveMedia(req, res, { path, ip });
  }
  if (path === PORTAL_PROOF_PATH) {
    await receiveBody(req, 0);
    return servePortalProof(req, res, ip);
  }
  if (path === SECURITY_TXT_PATH) {
    await receiveBody(req, 0);
    return serveSecurityTxt(req, res);
  }
  if (path.startsWith("/hooks/")) return serveHook(req, res, { path, search, ip });
  if (path === "/_next/image") throw refuse("route_not_found", { params: { path: path.slice(1) } });
  if (isSandbox(path, env().production)) return serveSandbox(req, res, { path, search });
  return servePages(req, res, { pages, path, search, ip });
}

/** Drains the request, so that the client reads the response. */
async function sendMaintenance(req: IncomingMessage, res: ServerResponse): Promise<void> {
  req.resume();
  const closed = refuse("maintenance", { retryAfter: MAINTENANCE_RETRY });
  const { status, headers, body } = outageResponse(req, closed, "errors.maintenance");
  res.writeHead(status, { ...headers, connection: "close" }).end(body);
}

/** TRACE would echo cookies. */
function methodNotAllowed(method: string, path: string): AppError {
  const allow = "GET, HEAD, POST";
  return refuse("method_not_allowed", { params: { method, path: path.slice(1), allow }, headers: { allow } });
}

async function fail(req: IncomingMessage, res: ServerResponse, error: unknown): Promise<void> {
  const failure = toAppError(error);
  if (failure.status !== 408) await drainBody(req);
  if (failure.status >= 500) log.error({ event: "http_server.failed", cause: error });
  if (res.headersSent) return void res.end();
  const { status, headers, body } = failureResponse(failure, matchLocale(req.headers["accept-language"]));
  res.writeHead(status, {
    ...securityHeaders(req.headers.host),
    ...headers,
    ...limitHeaders(undefined, failure),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body ?? ""),
    "cache-control": "no-store",
    // An unread body would be parsed as the next request.
    ...(!req.complete && { connection: "close" }),
  });
  res.end(body);
}

/** The host of a proxy's absolute form is ignored. */
function parseTarget(url: string): { path: string; search: string } {
  const relative = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
  const at = relative.indexOf("?");
  const end = at < 0 ? relative.length : at;
  return { path: resolveDotSegments(relative.slice(0, end)), search: relative.slice(end) };
}

/**
 * Resolves `.` and `..` as Next does, so that we route by the real path. In `/api/**` they are plain values.
 */
function resolveDotSegments(path: string): string {
  const resolves = path.startsWith("/") && !path.startsWith("/api/") && DOT_SEGMENT.test(path);
  return resolves ? new URL(`http://x${path}`).pathname : path;
}

function rejectNonHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const [status, reason] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout"]
        : [400, "Bad Request"];
  const body = JSON.stringify({ message: reason });
  const headers = {
    ...securityHeaders(null),
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
    connection: "close",
    "cache-control": "no-store",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${body}`);
}

/** Listens. A loopback host listens on both `127.0.0.1` and `::1`, since `localhost` may be either. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => resolve(server.off("error", reject) && undefined));
  });
  if (host !== "127.0.0.1" && host !== "localhost") return;
  const ipv6 = createSocketServer((socket) => server.emit("connection", socket));
  ipv6.on("error", () => {});
  ipv6.listen({ host: "::1", port });
  server.on("close", () => ipv6.close());
}

/**
 * Waits at most `deadline` ms for running requests. Idle connections stay open for `linger` ms, because a
 * proxy may already have sent a request.
 */
export async function closeHttpServer(server: Server, deadline: number, linger = 0): Promise<void> {
  await acceptWaiting(server, deadline / 2);
  const closed = new Promise<void>((resolve) => {
    // `http.Server.close` would also close connections whose request is not read yet.
    SocketServer.prototype.close.call(server, () => resolve());
  });
  if (linger === 0) server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), linger || 250);
  const cut = setTimeout(() => server.closeAllConnections(), deadline);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/**
 * Accepts connections queued by the system, which resets them when the socket closes. Each event loop turn
 * accepts one; returns after turns without one, or after `deadline` ms.
 */
async function acceptWaiting(server: Server, deadline: number): Promise<void> {
  let quietTurns = 0;
  const resetQuiet = () => {
    quietTurns = 0;
  };
  server.on("connection", resetQuiet);
  // The current turn may have polled for connections already.
  for (const giveUpAt = performance.now() + deadline; quietTurns < 2 && performance.now() < giveUpAt; ) {
    quietTurns++;
    await nextTurn();
  }
  server.off("connection", resetQuiet);
}
