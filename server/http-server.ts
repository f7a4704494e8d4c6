import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type Socket, Server as SocketServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { env } from "./core/env";
import { type AppError, createError } from "./core/errors";
import { matchLocale } from "./core/locale";
import { log } from "./core/log";
import { getPhase } from "./core/phase";
import { PORTAL_PROOF_PATH } from "./core/portal";
import { isUnderMaintenance } from "./infrastructure/maintenance";
import { withSpan } from "./infrastructure/tracing/trace";
import { guardDemoTools } from "./transports/demo-tools-guard";
import { serveHook } from "./transports/hooks";
import { serveMedia } from "./transports/media";
import type { PageHandler } from "./transports/pages/forward";
import { buildOutageResponse } from "./transports/pages/outage-page";
import { servePages } from "./transports/pages/serve";
import { servePortalProof } from "./transports/portal-proof";
import { toAppError } from "./transports/render-error";
import { getClientAddress, trustForwardedFor } from "./transports/request-origin";
import { buildLimitHeaders, buildSecurityHeaders } from "./transports/rest/headers";
import { drainBody, receiveBody, serveRest } from "./transports/rest/node";
import { buildFailureResponse } from "./transports/rest/response";
import { isSandboxPath, serveSandbox } from "./transports/sandbox";
import { SECURITY_TXT_PATH, serveSecurityTxt } from "./transports/security-txt";
import { serveTrpc } from "./transports/trpc/node";

const MAINTENANCE_RETRY_SECONDS = 120;

/** A `.` or `..` segment, possibly written with `%2e`. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/** Creates the HTTP server for the API, tRPC, media and hooks; forwards other requests to Next. */
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
        sendError(req, res, error).catch((cause: unknown) => {
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
  if (getPhase() === "draining") res.setHeader("connection", "close");
  const { path, search } = parseTarget(req.url ?? "/");
  const forwardedFor = req.headers["x-forwarded-for"];
  const ip = getClientAddress(
    req.socket.remoteAddress,
    Array.isArray(forwardedFor) ? forwardedFor.join(", ") : forwardedFor,
  );
  guardDemoTools(path, req.headers);
  if (isUnderMaintenance() && !/^\/api\/health(\/|$)/.test(path)) return sendMaintenance(req, res);
  if (path === "/api" || path.startsWith("/api/")) return serveRest(req, res, { path, search, ip });
  if (!path.startsWith("/")) throw createError("malformed_request");
  if (req.method === "TRACE") throw createMethodNotAllowedError(req.method, path);
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
  if (path === "/_next/image") throw createError("route_not_found", { params: { path: path.slice(1) } });
  if (isSandboxPath(path, env().production)) return serveSandbox(req, res, { path, search });
  return servePages(req, res, { handlePage: pages, path, search, ip });
}

/** Drains the request, so that the client reads the response. */
async function sendMaintenance(req: IncomingMessage, res: ServerResponse): Promise<void> {
  req.resume();
  const maintenanceError = createError("maintenance", { retryAfter: MAINTENANCE_RETRY_SECONDS });
  const { status, headers, body } = buildOutageResponse(req, maintenanceError, "errors.maintenance");
  res.writeHead(status, { ...headers, connection: "close" }).end(body);
}

/** Used for TRACE, which would echo cookies. */
function createMethodNotAllowedError(method: string, path: string): AppError {
  const allow = "GET, HEAD, POST";
  return createError("method_not_allowed", {
    params: { method, path: path.slice(1), allow },
    headers: { allow },
  });
}

async function sendError(req: IncomingMessage, res: ServerResponse, error: unknown): Promise<void> {
  const failure = toAppError(error);
  if (failure.status !== 408) await drainBody(req);
  if (failure.status >= 500) log.error({ event: "http_server.failed", cause: error });
  if (res.headersSent) return void res.end();
  const { status, headers, body } = buildFailureResponse(
    failure,
    matchLocale(req.headers["accept-language"]),
  );
  res.writeHead(status, {
    ...buildSecurityHeaders(req.headers.host),
    ...headers,
    ...buildLimitHeaders(undefined, failure),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body ?? ""),
    "cache-control": "no-store",
    // An unread body would be parsed as the next request.
    ...(!req.complete && { connection: "close" }),
  });
  res.end(body);
}

/** Splits a request target. Ignores the host of an absolute URL, which a proxy may send. */
function parseTarget(url: string): { path: string; search: string } {
  const relative = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
  const queryIndex = relative.indexOf("?");
  const pathEnd = queryIndex < 0 ? relative.length : queryIndex;
  return { path: resolveDotSegments(relative.slice(0, pathEnd)), search: relative.slice(pathEnd) };
}

/** Resolves `.` and `..` like Next, to route by the real path. In `/api/**` they are plain values. */
function resolveDotSegments(path: string): string {
  const hasDotSegment = path.startsWith("/") && !path.startsWith("/api/") && DOT_SEGMENT.test(path);
  return hasDotSegment ? new URL(`http://x${path}`).pathname : path;
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
    ...buildSecurityHeaders(null),
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
  const ipv6Server = createSocketServer((socket) => server.emit("connection", socket));
  ipv6Server.on("error", () => {});
  ipv6Server.listen({ host: "::1", port });
  server.on("close", () => ipv6Server.close());
}

/** Waits at most `deadlineMs` for requests. Idle connections stay for `lingerMs`: a proxy may use one. */
export async function closeHttpServer(server: Server, deadlineMs: number, lingerMs = 0): Promise<void> {
  await acceptQueuedConnections(server, deadlineMs / 2);
  const closing = new Promise<void>((resolve) => {
    // `http.Server.close` would also close connections whose request is not read yet.
    SocketServer.prototype.close.call(server, () => resolve());
  });
  if (lingerMs === 0) server.closeIdleConnections();
  const idleTimer = setInterval(() => server.closeIdleConnections(), lingerMs || 250);
  const deadlineTimer = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closing;
  clearInterval(idleTimer);
  clearTimeout(deadlineTimer);
}

/** Accepts connections queued by the system: closing would reset them. Each event loop turn accepts one. */
async function acceptQueuedConnections(server: Server, deadlineMs: number): Promise<void> {
  let quietTurns = 0;
  const resetQuiet = () => {
    quietTurns = 0;
  };
  server.on("connection", resetQuiet);
  // The current turn may have polled for connections already.
  for (const giveUpAt = performance.now() + deadlineMs; quietTurns < 2 && performance.now() < giveUpAt; ) {
    quietTurns++;
    await nextTurn();
  }
  server.off("connection", resetQuiet);
}
