import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { AppError } from "@/server/core/errors";
import { FALLBACK_LOCALE, isLocale, type Locale } from "@/server/core/locale";
import { authenticate, type Credential } from "../actor";
import { admit, failureOf, isSpent, newCall, readmit } from "../admission";
import { perform } from "../perform";
import { readCookie } from "../session/cookie";
import { compress } from "./compress";
import { apiHeaders, limitHeaders } from "./headers";
import { readInput } from "./input";
import { handlerOf, placeOf, preflight } from "./match";
import { record, type Trace } from "./record";
import { credentialOf, originOf, type RestRequest } from "./request";
import { failureResponse, outputResponse, type RestResponse } from "./response";

/** Serves one REST request. Never throws: this is the only place where REST catches errors. */
export async function serve(request: RestRequest): Promise<RestResponse> {
  const startedAt = performance.now();
  const trace: Trace = { requestId: randomUUID() };
  let response: RestResponse;
  let failure: AppError | undefined;
  try {
    response = await run(request, trace);
    if (trace.call?.replayed) response.headers["idempotent-replay"] = "true";
  } catch (error) {
    failure = await failureOf(trace.call, error);
    response = failureResponse(failure, trace.call?.locale ?? FALLBACK_LOCALE);
  }
  Object.assign(
    response.headers,
    apiHeaders(response.headers, request.header("host")),
    limitHeaders(trace.call?.standing, failure),
    {
      "x-request-id": trace.requestId,
    },
  );
  if (request.method === "HEAD") Object.assign(response, { body: null, file: undefined });
  else await compress(response, request.header("accept-encoding"));
  record(request, trace, response.status, performance.now() - startedAt, failure);
  return response;
}

/** The panel's own language for what it uploads and saves; an integrator's errors are in one language. */
function localeFor(request: RestRequest, credential: Credential): Locale {
  const chosen = "session" in credential ? readCookie(request.header("cookie"), "locale") : null;
  return isLocale(chosen) ? chosen : FALLBACK_LOCALE;
}

/** The steps of a request, in order: each throws what ends it. */
async function run(request: RestRequest, trace: Trace): Promise<RestResponse> {
  const match = placeOf(request);
  if (request.method === "OPTIONS") return preflight(match);
  const handler = handlerOf(request, match);
  const { operation } = handler;
  const credential = credentialOf(request, operation);
  const call = newCall(operation, originOf(request, trace.requestId), localeFor(request, credential));
  call.idempotencyKey = request.header("idempotency-key");
  trace.call = call;
  const { outputSql } = handler;
  const along = outputSql &&
    !request.search && { sql: outputSql, isSpent: (userId: number) => isSpent(call, userId) };
  const caller = () => authenticate(credential, request, along || undefined);
  const hasBody = operation.body !== undefined || operation.upload !== undefined;
  // A body that came with its head is whole once the event loop has turned.
  if (hasBody) await turn();
  const whole = !hasBody || request.isWhole();
  await admit(call, caller);
  const kept = handler.kept?.();
  if (kept) return outputResponse(request, operation, kept);
  const input = await readInput(request, operation, match.params);
  if (!whole) await readmit(call, caller);
  return outputResponse(request, operation, await perform(handler, call, input));
}
