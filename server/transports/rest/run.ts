import { randomUUID } from "node:crypto";
import type { Actor } from "@/server/core/context";
import {
  type AnyOperation,
  type FileContent,
  FileOutput,
  type Handler,
  RawJson,
  type Upload,
} from "@/server/core/contract";
import { AppError, invalid, refuse } from "@/server/core/errors";
import { normaliseInput } from "@/server/core/input";
import { FALLBACK_LOCALE, type Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { count } from "@/server/core/metrics";
import { emptyMap } from "@/server/core/schema";
import type { Standing } from "@/server/infrastructure/rate-limit/limiter";
import { handlers } from "@/server/operations";
import { authenticate, type Credential } from "../actor";
import { type Call, checkAbility, countCall, failureOf, makeContext, perform } from "../execute";
import { hostOf } from "../host";
import { fromOwnPage } from "../own-page";
import { renderError } from "../render-error";
import { readCookie, sessionCookieName } from "../session/cookie";
import { apiHeaders, etag } from "./headers";
import { MAX_BODY, parseJson } from "./json";
import { boundaryOf, readFile } from "./multipart";
import { buildTable, type Match, type Table } from "./table";

/** A request independent of its transport: both doors create one. */
export interface RestRequest {
  method: string;
  /** As sent, not decoded. */
  pathname: string;
  search: string;
  header(name: string): string | null;
  /** Address of the client, already determined from the trusted proxy hops. */
  ip: string;
  /** Reads the body, or throws `body_too_large` as soon as it exceeds `limit` bytes. */
  body(limit: number): Promise<Uint8Array>;
  /** The body as a stream. */
  stream(limit: number): AsyncIterable<Uint8Array>;
}

export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** Sent instead of the body. */
  file?: FileContent;
}

let built: Table | undefined;
/** The table of this mode's operations. */
export function table(): Table {
  built ??= buildTable(handlers());
  return built;
}

/** What is known of a request while it runs; written as its one line in the log. */
interface Trace {
  requestId: string;
  operation?: string;
  actor: Actor;
  locale: Locale;
  call?: Call;
}

/** Serves one REST request. Never throws: this is the only place where REST catches errors. */
export async function serve(request: RestRequest): Promise<RestResponse> {
  const startedAt = performance.now();
  const trace: Trace = { requestId: randomUUID(), actor: { kind: "anonymous" }, locale: FALLBACK_LOCALE };
  let response: RestResponse;
  let failure: AppError | undefined;
  try {
    response = await responseTo(request, trace);
  } catch (error) {
    failure = await failureOf(trace.call, error);
    response = {
      status: failure.status,
      headers: {
        ...(failure.code === "unauthenticated" ? { "www-authenticate": "Bearer" } : {}),
        ...failure.extras.headers,
      },
      body: JSON.stringify(renderError(failure, trace.locale, { technical: true })),
    };
  }
  Object.assign(response.headers, apiHeaders(response.headers), limitHeaders(trace.call?.standing, failure), {
    "x-request-id": trace.requestId,
  });
  if (request.method === "HEAD") Object.assign(response, { body: null, file: undefined });
  record(request, trace, response.status, performance.now() - startedAt, failure);
  return response;
}

async function responseTo(request: RestRequest, trace: Trace): Promise<RestResponse> {
  const match = table().match(trimSlash(request.pathname));
  if (!match) throw refuse("route_not_found", { params: { path: shown(request.pathname) } });
  if (request.method === "OPTIONS") return preflight(match);
  const handler = match.place.methods.get(request.method === "HEAD" ? "GET" : request.method);
  if (!handler) throw methodNotAllowed(request, match);
  const { operation } = handler;
  trace.operation = operation.id;

  if (operation.access === "token") {
    const caller = await authenticate(credentialOf(request, operation), request);
    trace.actor = caller.actor;
    trace.locale = caller.locale ?? trace.locale;
  }
  trace.call = { operation, actor: trace.actor, ip: request.ip };
  await countCall(trace.call);
  checkAbility(operation, trace.actor);

  const raw = {
    params: match.params,
    query: queryOf(request.search),
    body: await bodyOf(request, handler),
    file: await fileOf(request, operation),
  };
  const origin = {
    requestId: trace.requestId,
    ip: request.ip,
    userAgent: request.header("user-agent"),
    acceptLanguage: request.header("accept-language"),
    host: hostOf(request),
  };
  const value = await perform(handler, makeContext(origin, trace.actor, trace.locale), raw);
  if (value instanceof FileOutput) return fileResponse(value, operation.status);
  const body = value instanceof RawJson ? value.text : JSON.stringify(value);
  return cached(request, operation.cacheControl, { status: operation.status, headers: {}, body });
}

/** Headers make the browser save the file and never show it as a page of ours. */
function fileResponse({ content, save }: FileOutput, status: number): RestResponse {
  const headers = {
    "content-type": save.type,
    ...(content.size !== undefined && { "content-length": String(content.size) }),
    "content-disposition": `attachment; filename="${save.name}"`,
  };
  return { status, headers, body: null, file: content };
}

/**
 * Returns the bearer token, or else a site's external key. The panel uploads and saves files here with its cookie, from
 * its own pages only, because a foreign page can send a form or follow a link, too.
 */
function credentialOf(
  request: RestRequest,
  { siteKey: accepted = false, upload, file }: AnyOperation,
): Credential {
  const bearer = request.header("authorization");
  const siteKey = request.header("x-api-key");
  const session = upload || file ? readCookie(request.header("cookie"), sessionCookieName()) : null;
  if (bearer === null && siteKey === null && session !== null && fromOwnPage(request)) return { session };
  return bearer === null && siteKey !== null ? { siteKey, accepted } : { bearer };
}

/** Adds an ETag to a public response; returns 304 to a client that has it already. */
function cached(
  request: RestRequest,
  cacheControl: string | undefined,
  response: RestResponse,
): RestResponse {
  if (!cacheControl) return response;
  const tag = etag(response.body ?? "");
  const headers = { "cache-control": cacheControl, etag: tag };
  const known = request
    .header("if-none-match")
    ?.split(",")
    .map((item) => item.trim().replace(/^W\//, ""));
  return known?.includes(tag) || known?.includes("*")
    ? { status: 304, headers, body: null }
    : { ...response, headers };
}

async function bodyOf(request: RestRequest, { operation }: Handler): Promise<unknown> {
  if (!operation.body) return undefined;
  const length = request.header("content-length");
  if ((length === null || length === "0") && request.header("transfer-encoding") === null) return {};
  if (Number(length) > MAX_BODY) throw tooLarge();
  // Without a content type, a body is taken for JSON.
  const type = request.header("content-type") || "application/json";
  const json = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type);
  if (!json || isEncoded(request)) throw unsupported("application/json");
  const bytes = await request.body(MAX_BODY);
  const value = bytes.length === 0 ? {} : emptyMap(normaliseInput(parseJson(bytes)));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("validation", {}, { issues: { body: [{ key: "object" }] } });
}

/** Space for what surrounds the file in a form. */
const FORM_FRAME = 16_384;

async function fileOf(request: RestRequest, { upload }: AnyOperation): Promise<Upload | undefined> {
  if (!upload) return undefined;
  const { field, maxBytes } = upload;
  const length = request.header("content-length");
  if ((length === null || length === "0") && request.header("transfer-encoding") === null)
    throw invalid(field, "required");
  const boundary = boundaryOf(request.header("content-type"));
  if (!boundary || isEncoded(request)) throw unsupported("multipart/form-data");
  const limit = maxBytes + FORM_FRAME;
  if (Number(length) > limit) throw tooLarge(maxBytes);
  return readFile(request.stream(limit), boundary, { field, maxBytes, tooLarge });
}

/** Compressed bodies are not accepted: a small one could expand to any size. */
function isEncoded(request: RestRequest): boolean {
  return !["", "identity"].includes(request.header("content-encoding")?.toLowerCase() ?? "");
}

function unsupported(type: string): AppError {
  return refuse("media_type_unsupported", { params: { type } });
}

/** Returns the error for a body beyond its limit. */
export function tooLarge(limit = MAX_BODY): AppError {
  return refuse("body_too_large", { params: { limit }, headers: { connection: "close" } });
}

function queryOf(search: string): unknown {
  if (search.length <= 1) return {};
  return normaliseInput(Object.fromEntries(new URLSearchParams(search)));
}

function methodNotAllowed(request: RestRequest, { place }: Match): AppError {
  const allow = allowed(place.methods);
  return refuse("method_not_allowed", {
    headers: { allow },
    params: {
      method: request.method.slice(0, 20),
      path: shown(request.pathname),
      allow: allow.replace(/, OPTIONS$/, ""),
    },
  });
}

function preflight({ place }: Match): RestResponse {
  const allow = allowed(place.methods);
  return {
    status: 204,
    headers: {
      allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers":
        "Accept, Authorization, Content-Type, Idempotency-Key, X-API-Key, X-Portal-Host",
      "access-control-max-age": "86400",
    },
    body: null,
  };
}

function allowed(methods: Map<string, unknown>): string {
  const names = [...methods.keys()];
  return [...names, ...(names.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** Limit headers of a response; a refusal by another counter than the operation's own brings its own numbers. */
function limitHeaders(standing: Standing | undefined, failure: AppError | undefined): Record<string, string> {
  const refused = failure?.status === 429;
  const headers: Record<string, string> = {};
  if (standing) {
    headers["x-ratelimit-limit"] = String(failure?.extras.limit ?? standing.limit);
    headers["x-ratelimit-remaining"] = refused ? "0" : String(standing.remaining);
  }
  const retryAfter = failure?.extras.retryAfter;
  if (retryAfter) headers["retry-after"] = String(retryAfter);
  if (refused && retryAfter)
    headers["x-ratelimit-reset"] = String(Math.floor(Date.now() / 1000) + retryAfter);
  return headers;
}

function trimSlash(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
}

/** A path as error texts show it: without the leading slash, and shortened. */
function shown(pathname: string): string {
  return pathname.replace(/^\//, "").slice(0, 200);
}

function record(
  request: RestRequest,
  trace: Trace,
  status: number,
  duration: number,
  failure?: AppError,
): void {
  const operation = trace.operation ?? "none";
  count(operation, status, duration);
  const line = {
    event: "request",
    request_id: trace.requestId,
    operation,
    method: request.method,
    status,
    ms: Math.round(duration * 10) / 10,
    actor: trace.actor.kind === "user" ? trace.actor.id : null,
    ip: request.ip,
    error: failure?.code,
  };
  if (failure?.code === "server_error") log.error({ ...line, cause: failure.extras.cause });
  else if (failure?.code === "busy")
    log.warn({ ...line, reason: (failure.extras.cause as Error | undefined)?.message });
  else log.info(line);
}
