import { randomUUID } from "node:crypto";
import type { Handler } from "@/server/core/contract";
import type { AppError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale, type Locale } from "@/server/core/locale";
import { countRequest } from "@/server/core/metrics";
import type { BundledOutput } from "@/server/domains/access/tokens/service/tokens";
import { recordKeyCall } from "@/server/domains/accounts/key-use/service/record";
import { updateSpan } from "@/server/infrastructure/tracing/trace";
import {
  admitCall,
  type Call,
  handleFailure,
  isLimitExhausted,
  logCall,
  newCall,
  readmitCall,
  toOrigin,
} from "../admission";
import { authenticate, type Credential, readCredential } from "../authenticate";
import { runOperation } from "../run-operation";
import { readCookie } from "../session/cookie";
import { buildApiHeaders, buildLimitHeaders } from "./headers";
import { type RestRequest, readInput } from "./input";
import { buildFailureResponse, buildOutputResponse, compressResponse, type RestResponse } from "./response";
import { buildPreflightResponse, matchMethod, matchRoute } from "./routes";

interface RequestState {
  requestId: string;
  call?: Call;
}

/** Serves a REST request. Never throws: the only place where REST catches errors. */
export async function serveRequest(request: RestRequest): Promise<RestResponse> {
  const startedAt = performance.now();
  const requestState: RequestState = { requestId: randomUUID() };
  let response: RestResponse;
  let failure: AppError | undefined;
  try {
    response = await handleRequest(request, requestState);
  } catch (error) {
    failure = await handleFailure(requestState.call, error);
    response = buildFailureResponse(failure, requestState.call?.locale ?? FALLBACK_LOCALE);
  }
  Object.assign(
    response.headers,
    buildApiHeaders(response.headers, request.header("host")),
    buildLimitHeaders(requestState.call?.rateLimit, failure),
    !failure && requestState.call?.isReplayed && { "idempotent-replay": "true" },
    { "x-request-id": requestState.requestId },
  );
  if (request.method === "HEAD") Object.assign(response, { body: null, file: undefined });
  else await compressResponse(response, request.header("accept-encoding"));
  recordRequest(request, requestState, {
    status: response.status,
    ms: performance.now() - startedAt,
    failure,
  });
  return response;
}

async function handleRequest(request: RestRequest, requestState: RequestState): Promise<RestResponse> {
  const match = matchRoute(request);
  if (request.method === "OPTIONS") return buildPreflightResponse(match);
  const handler = matchMethod(request, match);
  const { operation } = handler;

  const credential = readCredential(request, operation);
  const call = newCall(
    operation,
    toOrigin(request, requestState.requestId),
    getErrorLocale(request, credential),
  );
  requestState.call = call;
  const authenticateCaller = () =>
    authenticate(credential, request, buildBundledOutput(request, handler, call));
  const hasBody = operation.body !== undefined || operation.upload !== undefined;
  const isBodyComplete = !hasBody || (await request.isComplete());
  await admitCall(call, authenticateCaller);

  const cachedOutput = handler.cachedOutput?.();
  if (cachedOutput) return buildOutputResponse(request, operation, cachedOutput);

  // The token may have been revoked while a slow body arrived.
  const input = await readInput(request, operation, match.params);
  if (!isBodyComplete) await readmitCall(call, authenticateCaller);

  call.idempotencyKey = request.header("idempotency-key");
  const output = await runOperation(handler, call, input);

  return buildOutputResponse(request, operation, output);
}

/** Language of errors: the panel's own for its uploads and files, one fixed language for the API. */
function getErrorLocale(request: RestRequest, credential: Credential): Locale {
  const cookieLocale = "session" in credential ? readCookie(request.header("cookie"), "locale") : null;
  return isLocale(cookieLocale) ? cookieLocale : FALLBACK_LOCALE;
}

/** Returns output SQL to run with the token lookup; undefined for other operations and filtered calls. */
function buildBundledOutput(
  { search }: RestRequest,
  { outputSql }: Handler,
  call: Call,
): BundledOutput | undefined {
  if (!outputSql || search) return undefined;
  return { sql: outputSql, isLimitReached: (userId) => isLimitExhausted(call, userId) };
}

function recordRequest(
  { method, ip }: RestRequest,
  { requestId, call }: RequestState,
  { status, ms, failure }: { status: number; ms: number; failure: AppError | undefined },
): void {
  const operation = call?.operation.id ?? "none";
  countRequest(operation, status, ms);
  if (call?.actor.kind === "user") recordKeyCall(call.actor, status);
  updateSpan(`${method} ${call?.operation.path ?? "/api"}`, {
    "http.request.method": method,
    "http.route": call?.operation.path,
    "http.response.status_code": status,
    "tellal.request_id": requestId,
    "tellal.error": failure?.code,
  });
  const fields = {
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
  logCall(fields, failure);
}
