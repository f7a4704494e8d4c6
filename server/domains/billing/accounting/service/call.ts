import * as z from "zod";
import { env } from "@/server/core/env";
import { redactText } from "@/server/core/redact";
import { SECOND } from "@/server/core/time";
import { USER_AGENT } from "@/server/infrastructure/http/call-service";
import { callOutbound, OutboundError } from "@/server/infrastructure/http/outbound";
import type { Problem } from "../policy";
import { createTokenSource, type TokenSource } from "./access";
import { AccountingFailure, type Call, type CallRequest } from "./provider";

export interface CallRecord {
  call: string;
  status: number | null;
  outcome: "ok" | Problem;
  detail: string | null;
  ms: number;
}

const RATE_LIMIT_BACK_OFF_MS = 10 * SECOND;
const DETAIL_MAX_LENGTH = 500;

const ErrorBody = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().optional() })),
});

/** Creates the function that calls the service. Each call waits until `onCall` has recorded it. */
export function createCallFunction(
  onCall: (record: CallRecord) => Promise<void>,
  getToken: TokenSource = createTokenSource(),
): Call {
  return async (request) => {
    const startedAt = performance.now();
    const recordCall = (status: number | null, failure?: AccountingFailure) =>
      onCall({
        call: `${request.method} ${toLoggedPath(request)}`.slice(0, 300),
        status,
        outcome: failure?.problem ?? "ok",
        detail: failure?.serviceMessage || null,
        ms: Math.round(performance.now() - startedAt),
      });
    let status: number | null = null;
    try {
      const response = await sendWithToken(request, getToken, (responseStatus) => {
        status = responseStatus;
      });
      await recordCall(response.status);
      return response;
    } catch (error) {
      if (error instanceof AccountingFailure) await recordCall(status, error);
      throw error;
    }
  };
}

async function sendWithToken(
  request: CallRequest,
  getToken: TokenSource,
  onStatus: (status: number) => void,
) {
  const token = await getToken();
  const firstResponse = await sendRequest(request, token);
  // With the rejected token as its argument, `getToken` fetches another one.
  const response =
    firstResponse.status === 401 ? await sendRequest(request, await getToken(token)) : firstResponse;
  onStatus(response.status);
  if (response.status === 401) throw new AccountingFailure("credentials", "401", { hadNoEffect: true });
  return parseCallResponse(request, response);
}

async function sendRequest({ method, path, query, body }: CallRequest, token: string) {
  const { url, company } = env().parasut!;
  const endpoint = path.startsWith("/") ? `${url}${path}` : `${url}/v4/${company}/${path}`;
  try {
    return await callOutbound({
      method,
      url: query ? `${endpoint}?${new URLSearchParams(query)}` : endpoint,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        "user-agent": USER_AGENT,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new AccountingFailure(...NO_RESPONSE_FAILURES[error.reason]);
  }
}

/** Failures without a response. `hadNoEffect`: no request was sent, so nothing has changed. */
const NO_RESPONSE_FAILURES: Record<OutboundError["reason"], [Problem, string, { hadNoEffect?: boolean }]> = {
  timeout: ["transient", "timeout", {}],
  unreachable: ["transient", "unreachable", {}],
  too_large: ["protocol", "too large", {}],
  unresolved: ["transient", "unresolved", { hadNoEffect: true }],
  breaker_open: ["transient", "not asked: it failed several times", { hadNoEffect: true }],
  bad_address: ["refused", "bad address", { hadNoEffect: true }],
  refused_address: ["refused", "refused address", { hadNoEffect: true }],
};

function parseCallResponse(
  { acceptedStatuses = [] }: CallRequest,
  { status, text }: { status: number; text: string },
): { status: number; body: unknown } {
  if (status === 429)
    throw new AccountingFailure("transient", "429", { hadNoEffect: true, waitMs: RATE_LIMIT_BACK_OFF_MS });
  if (status >= 500 || status === 408) throw new AccountingFailure("transient", String(status));
  const body = text === "" ? {} : parseJson(text);
  if (body === undefined) throw new AccountingFailure("protocol", `${status}: no JSON`);
  if ((status >= 200 && status < 300) || acceptedStatuses.includes(status)) return { status, body };
  const problem =
    status === 403 || status === 404 ? "refused" : status === 422 || status === 400 ? "data" : "protocol";
  throw new AccountingFailure(problem, readErrorText(body) || String(status), { hadNoEffect: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Joins the error texts of a response, without addresses and long numbers: they may be personal data. */
export function readErrorText(body: unknown): string {
  const errors = ErrorBody.safeParse(body).data?.errors ?? [];
  const errorText = errors.map(({ title, detail }) => [title, detail].filter(Boolean).join(": ")).join("; ");
  return String(redactText(errorText))
    .replace(/\d{5,}/g, "…")
    .slice(0, DETAIL_MAX_LENGTH);
}

/** Values of query parameters may be personal data. */
function toLoggedPath({ path, query }: CallRequest): string {
  const parameterNames = Object.keys(query ?? {}).filter((name) => !name.startsWith("page"));
  return parameterNames.length > 0 ? `${path}?${parameterNames.join("&")}` : path;
}
