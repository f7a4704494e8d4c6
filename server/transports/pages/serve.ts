import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { env } from "@/server/core/env";
import { createError } from "@/server/core/errors";
import {
  consumePointOrThrow,
  type RateLimitCounter,
  toIpBucket,
} from "@/server/infrastructure/rate-limit/limiter";
import { getTraceparent, updateSpan } from "@/server/infrastructure/tracing/trace";
import { toAppError } from "../render-error";
import { buildSecurityHeaders } from "../rest/headers";
import { receiveBody } from "../rest/node";
import { isBuildFile } from "./build-files";
import { type PageHandler, removeHopByHopHeaders } from "./forward";
import { buildOutageResponse } from "./outage-page";

/** Suffices for our forms and the responses of identity providers. */
const MAX_PAGE_BODY_BYTES = 65_536;

/** Pages per address and minute: ten times what a person can view. */
const PAGE_COUNTER: RateLimitCounter = { name: "pages", points: 1200, per: 60 };

/** Headers that only a proxy in front of us may set; a client's are dropped. */
const PROXY_HEADERS = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-real-ip",
  "forwarded",
];

/** Next responds 500 when a condition of these headers fails. Browsers do not send them for pages. */
const CONDITIONAL_HEADERS = ["range", "if-match", "if-unmodified-since"];

/** Forwards the whole body and only trusted headers. Rate limits and outages get a page (scripts: JSON). */
export async function servePages(
  req: IncomingMessage,
  res: ServerResponse,
  { handlePage, path, search, ip }: { handlePage: PageHandler; path: string; search: string; ip: string },
): Promise<void> {
  checkRouterState(req.headers["next-router-state-tree"]);
  if (!isDecodable(path)) throw createError("malformed_request");
  const body = await receiveBody(req, MAX_PAGE_BODY_BYTES);
  checkMethod(req.method, path);
  req.headers = removeHopByHopHeaders(req.headers);
  for (const name of [...PROXY_HEADERS, ...CONDITIONAL_HEADERS]) delete req.headers[name];
  delete req.headers["content-length"];
  if (body) req.headers["content-length"] = String(body.length);
  // Not the absolute form: pages would trust its host.
  req.url = path + search;
  const { host, protocol } = new URL(env().APP_URL);
  Object.assign(req.headers, {
    host: URL.canParse(`http://${req.headers.host}`) ? req.headers.host : host,
    "x-forwarded-for": ip,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.slice(0, -1),
  });
  updateSpan(`${req.method} page`);
  const parentTrace = getTraceparent();
  if (parentTrace) req.headers.traceparent = parentTrace;
  for (const [name, value] of Object.entries(buildSecurityHeaders(req.headers.host)))
    res.setHeader(name, value);
  try {
    if (!isBuildFile(path)) await consumePointOrThrow(PAGE_COUNTER, toIpBucket(ip));
    await handlePage(req, res, body);
  } catch (error) {
    const failure = toAppError(error);
    if (res.headersSent || (failure.status !== 429 && failure.status !== 503)) throw error;
    const {
      status,
      headers,
      body: responseBody,
    } = buildOutageResponse(req, failure, `errors.${failure.code}`);
    res.writeHead(status, headers).end(responseBody);
  }
}

function acceptsForms(path: string): boolean {
  return path.startsWith("/session/") || (!env().production && path.startsWith("/dev/"));
}

/** Only form routes accept a body. We use no server actions, whose bodies Next would parse. */
function checkMethod(method: string | undefined, path: string): void {
  if (method === "GET" || method === "HEAD" || acceptsForms(path)) return;
  const allow = "GET, HEAD";
  throw createError("method_not_allowed", {
    params: { method: method ?? "", path: path.slice(1), allow },
    headers: { allow },
  });
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Next responds 500 to an unreadable router state. */
function checkRouterState(state: string | string[] | undefined): void {
  try {
    parseAndValidateFlightRouterState(state);
  } catch (cause) {
    throw createError("malformed_request", { cause });
  }
}
