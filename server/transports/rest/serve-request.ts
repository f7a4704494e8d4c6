import { randomUUID } from "node:crypto";
import type { Handler } from "@/server/core/contract";
import type { AppError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale, type Locale } from "@/server/core/locale";
import { count } from "@/server/core/metrics";
import type { BundledOutput } from "@/server/domains/access/tokens/service/tokens";
import { updateSpan } from "@/server/infrastructure/tracing/trace";
import {
  admitCall,
  type Call,
  handleFailure,
  isLimitUsedUp,
  logCall,
  newCall,
  originOf,
  readmitCall,
} from "../admission";
import { authenticate, type Credential, credentialOf } from "../authenticate";
import { runOperation } from "../run-operation";
import { readCookie } from "../session/cookie";
import { apiHeaders, limitHeaders } from "./headers";
import { type RestRequest, readInput } from "./input";
import { compress, failureResponse, outputResponse, type RestResponse } from "./response";
import { matchMethod, matchRoute, preflight } from "./routes";

interface Trace {
  requestId: string;
  call?: Call;
}

/** Serves a REST request. Never throws: the only place where REST catches errors. */
export async function serveRequest(request: RestRequest): Promise<RestResponse> {
  const startedAt = performance.now();
  const trace: Trace = { requestId: randomUUID() };
  let response: RestResponse;
  let failure: AppError | undefined;
  try {
    response = await run(request, trace);
  } catch (error) {
    failure = await handleFailure(trace.call, error);
    response = failureResponse(failure, trace.call?.locale ?? FALLBACK_LOCALE);
  }
  Object.assign(
    response.headers,
    apiHeaders(response.headers, request.header("host")),
    limitHeaders(trace.call?.rateLimit, failure),
    !failure && trace.call?.replayed && { "idempotent-replay": "true" },
    { "x-request-id": trace.requestId },
  );
  if (request.method === "HEAD") Object.assign(response, { body: null, file: undefined });
  else await compress(response, request.header("accept-encoding"));
  record(request, trace, { status: response.status, ms: performance.now() - startedAt, failure });
  return response;
}

async function run(request: RestRequest, trace: Trace): Promise<RestResponse> {
  const match = matchRoute(request);
  if (request.method === "OPTIONS") return preflight(match);
  const handler = matchMethod(request, match);
  const { operation } = handler;

  const credential = credentialOf(request, operation);
  const call = newCall(operation, originOf(request, trace.requestId), localeFor(request, credential));
  trace.call = call;
  const caller = () => authenticate(credential, request, outputWithToken(request, handler, call));
  const hasBody = operation.body !== undefined || operation.upload !== undefined;
  const isWhole = !hasBody || (await request.isComplete());
  await admitCall(call, caller);

  const prepared = handler.cachedOutput?.();
  if (prepared) return outputResponse(request, operation, prepared);

  // Read path, query and body. The token may have been revoked while a slow body arrived.
  const input = await readInput(request, operation, match.params);
  if (!isWhole) await readmitCall(call, caller);

  call.idempotencyKey = request.header("idempotency-key");
  const output = await runOperation(handler, call, input);

  return outputResponse(request, operation, output);
}

/** The panel uses its own language for uploads and files; API errors have one fixed language. */
function localeFor(request: RestRequest, credential: Credential): Locale {
  const chosen = "session" in credential ? readCookie(request.header("cookie"), "locale") : null;
  return isLocale(chosen) ? chosen : FALLBACK_LOCALE;
}

/** Frequent reads query their output together with the token, unless filtered. */
function outputWithToken(
  { search }: RestRequest,
  { outputSql }: Handler,
  call: Call,
): BundledOutput | undefined {
  if (!outputSql || search) return undefined;
  return { sql: outputSql, isSpent: (userId) => isLimitUsedUp(call, userId) };
}

function record(
  { method, ip }: RestRequest,
  { requestId, call }: Trace,
  { status, ms, failure }: { status: number; ms: number; failure: AppError | undefined },
): void {
  const operation = call?.operation.id ?? "none";
  count(operation, status, ms);
  updateSpan(`${method} ${call?.operation.path ?? "/api"}`, {
    "http.request.method": method,
    "http.route": call?.operation.path,
    "http.response.status_code": status,
    "tellal.request_id": requestId,
    "tellal.error": failure?.code,
  });
  const line = {
    event: "request",
    request_id: requestId,
    operation,
    method,
    status,
    ms: Math.round(ms * 10) / 10,
    actor: call?.actor.kind === "user" ? call.actor.id : null,
    ip,
    error: failure?.code,
  };
  logCall(line, failure);
}
