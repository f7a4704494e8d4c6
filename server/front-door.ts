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
import { traced } from "./infrastructure/tracing/trace";
import { guardDemoTools } from "./transports/demo-door";
import { serveHook } from "./transports/hooks";
import { serveMedia } from "./transports/media";
import type { Pages } from "./transports/pages/forward";
import { servePages } from "./transports/pages/serve";
import { wordsFor } from "./transports/pages/stand-in";
import { servePortalProof } from "./transports/portal-proof";
import { toAppError } from "./transports/render-error";
import { believeFrontDoor, clientAddress } from "./transports/request-origin";
import { limitHeaders, securityHeaders } from "./transports/rest/headers";
import { drain, receiveBody, serveRest } from "./transports/rest/node";
import { failureResponse } from "./transports/rest/response";
import { isSandbox, serveSandbox } from "./transports/sandbox";
import { SECURITY_TXT_PATH, serveSecurityTxt } from "./transports/security-txt";
import { serveTrpc } from "./transports/trpc/node";

/** Seconds after which a client may try again during maintenance. */
const MAINTENANCE_RETRY = 120;

/** A `.` or `..` between slashes, which may be written with `%2e`. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/**
 * The front door: owns the socket, serves `/api/**` and `/trpc/**` itself from the table of operations and hands
 * every other request to the pages. A client has 15 s to send its headers.
 */
export function openFrontDoor(pages: Pages): Server {
  believeFrontDoor();
  const server = createServer(
    {
      headersTimeout: 15_000,
      // Uploads may take long; node.ts in transports/rest cuts off a body that stalls.
      requestTimeout: 600_000,
      // Longer than the idle time of the usual proxies, so that they never reuse a socket we just closed.
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      connectionsCheckingInterval: 5_000,
    },
    (req, res) => {
      // Without a listener, an error of the response would end the process.
      res.on("error", (cause) => log.error({ event: "front_door.failed", cause }));
      const piece = { name: req.method ?? "GET", kind: "server", cause: req.headers.traceparent } as const;
      traced(piece, () => respond(req, res, pages)).catch((error: unknown) => {
        fail(req, res, error).catch((cause: unknown) => {
          log.error({ event: "front_door.failed", cause });
          res.destroy();
        });
      });
    },
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuseRaw(error, socket));
  return server;
}

async function respond(req: IncomingMessage, res: ServerResponse, pages: Pages): Promise<void> {
  // A proxy that keeps connections must open its next one elsewhere.
  if (phase() === "draining") res.setHeader("connection", "close");
  const { path, search } = target(req.url ?? "/");
  const forwarded = req.headers["x-forwarded-for"];
  const ip = clientAddress(
    req.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(", ") : forwarded,
  );
  guardDemoTools(path, req.headers);
  if (underMaintenance() && !/^\/api\/health(\/|$)/.test(path)) return sayClosed(req, res);
  if (path === "/api" || path.startsWith("/api/")) return serveRest(req, res, { path, search, ip });
  // `*`, or the authority of a CONNECT: nothing that a page could be at.
  if (!path.startsWith("/")) throw refuse("malformed_request");
  if (req.method === "TRACE") throw methodRefused(req.method, path);
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

/** A page without anything to load for people, JSON for programs; the request is read so that its sender hears it. */
async function sayClosed(req: IncomingMessage, res: ServerResponse): Promise<void> {
  req.resume();
  const closed = refuse("maintenance", { retryAfter: MAINTENANCE_RETRY });
  const { status, headers, body } = wordsFor(req, closed, "errors.maintenance");
  res.writeHead(status, { ...headers, connection: "close" }).end(body);
}

/** TRACE would echo cookies, and neither the pages nor tRPC can read such a request. */
function methodRefused(method: string, path: string): AppError {
  const allow = "GET, HEAD, POST";
  return refuse("method_not_allowed", { params: { method, path: path.slice(1), allow }, headers: { allow } });
}

/** Responds to a request that could not be handed on. */
async function fail(req: IncomingMessage, res: ServerResponse, error: unknown): Promise<void> {
  const failure = toAppError(error);
  if (failure.status !== 408) await drain(req);
  if (failure.status >= 500) log.error({ event: "front_door.failed", cause: error });
  if (res.headersSent) return void res.end();
  const { status, headers, body } = failureResponse(failure, matchLocale(req.headers["accept-language"]));
  res.writeHead(status, {
    ...securityHeaders(req.headers.host),
    ...headers,
    ...limitHeaders(undefined, failure),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body ?? ""),
    "cache-control": "no-store",
    // An unread body would be taken for the next request of this connection.
    ...(!req.complete && { connection: "close" }),
  });
  res.end(body);
}

/** Path and query of a request line; the host of a proxy's absolute form is ignored. */
function target(url: string): { path: string; search: string } {
  const relative = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
  const at = relative.indexOf("?");
  const end = at < 0 ? relative.length : at;
  return { path: resolved(relative.slice(0, end)), search: relative.slice(end) };
}

/**
 * Resolves `.` and `..` as Next does: what a path begins with has to be what it leads to. To the API they are values like any
 * other, under which there is no record.
 */
function resolved(path: string): string {
  const resolves = path.startsWith("/") && !path.startsWith("/api/") && DOT_SEGMENT.test(path);
  return resolves ? new URL(`http://x${path}`).pathname : path;
}

/** Sends a short JSON response to a request that is not HTTP, and closes the socket. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Socket): void {
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

/** Listens; on loopback on both `127.0.0.1` and `::1`, since `localhost` may be either. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => resolve(server.off("error", reject) && undefined));
  });
  if (host !== "127.0.0.1" && host !== "localhost") return;
  const second = createSocketServer((socket) => server.emit("connection", socket));
  second.on("error", () => {});
  second.listen({ host: "::1", port });
  server.on("close", () => second.close());
}

/**
 * Stops accepting connections and waits for the requests under way, for at most `deadline` milliseconds. A connection
 * without a request stays open for `linger` milliseconds: a proxy's request may be on the way.
 */
export async function closeFrontDoor(server: Server, deadline: number, linger = 0): Promise<void> {
  await acceptWaiting(server, deadline / 2);
  const closed = new Promise<void>((resolve) => {
    // That of http would also close, at once, each connection whose request was not read yet.
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
 * The system resets connections that wait to be accepted when the socket closes, and a turn of the event loop accepts
 * one of them: returns after turns that found none, or after `deadline` milliseconds.
 */
async function acceptWaiting(server: Server, deadline: number): Promise<void> {
  let quiet = 0;
  const heard = () => {
    quiet = 0;
  };
  server.on("connection", heard);
  // The first turn may be one that has looked for connections already.
  for (const giveUpAt = performance.now() + deadline; quiet < 2 && performance.now() < giveUpAt; ) {
    quiet++;
    await nextTurn();
  }
  server.off("connection", heard);
}
