import * as z from "zod";
import { env } from "@/server/core/env";
import { redactText } from "@/server/core/redact";
import { SECOND } from "@/server/core/time";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import { USER_AGENT } from "@/server/infrastructure/http/service";
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

const RATE_LIMIT_BACK_OFF = 10 * SECOND;
const DETAIL_MAX = 500;

const Errors = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().optional() })),
});

/** Creates a client with a valid token. Each call waits until `onCall` has recorded it. */
export function createCall(
  onCall: (record: CallRecord) => Promise<void>,
  tokens: TokenSource = createTokenSource(),
): Call {
  return async (request) => {
    const startedAt = performance.now();
    const record = (status: number | null, failure?: AccountingFailure) =>
      onCall({
        call: `${request.method} ${loggedPath(request)}`.slice(0, 300),
        status,
        outcome: failure?.problem ?? "ok",
        detail: failure?.words || null,
        ms: Math.round(performance.now() - startedAt),
      });
    let status: number | null = null;
    try {
      const response = await withToken(request, tokens, (onStatus) => {
        status = onStatus;
      });
      await record(response.status);
      return response;
    } catch (error) {
      if (error instanceof AccountingFailure) await record(status, error);
      throw error;
    }
  };
}

async function withToken(request: CallRequest, tokens: TokenSource, onStatus: (status: number) => void) {
  const token = await tokens();
  const first = await send(request, token);
  const response = first.status === 401 ? await send(request, await tokens(token)) : first;
  onStatus(response.status);
  if (response.status === 401) throw new AccountingFailure("credentials", "401", { certain: true });
  return checkResponse(request, response);
}

async function send({ method, path, query, body }: CallRequest, token: string) {
  const { url, company } = env().parasut!;
  const address = path.startsWith("/") ? `${url}${path}` : `${url}/v4/${company}/${path}`;
  try {
    return await outbound({
      method,
      url: query ? `${address}?${new URLSearchParams(query)}` : address,
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
    throw new AccountingFailure(...NO_RESPONSE[error.reason]);
  }
}

/** Failures without a response. `certain`: nothing was sent, so nothing can have changed. */
const NO_RESPONSE: Record<OutboundError["reason"], [Problem, string, { certain?: boolean }]> = {
  timeout: ["transient", "timeout", {}],
  unreachable: ["transient", "unreachable", {}],
  too_large: ["protocol", "too large", {}],
  unresolved: ["transient", "unresolved", { certain: true }],
  breaker_open: ["transient", "not asked: it failed several times", { certain: true }],
  bad_address: ["refused", "bad address", { certain: true }],
  refused_address: ["refused", "refused address", { certain: true }],
};

function checkResponse(
  { accepts = [] }: CallRequest,
  { status, text }: { status: number; text: string },
): { status: number; body: unknown } {
  if (status === 429)
    throw new AccountingFailure("transient", "429", { certain: true, wait: RATE_LIMIT_BACK_OFF });
  if (status >= 500 || status === 408) throw new AccountingFailure("transient", String(status));
  const body = text === "" ? {} : parseJson(text);
  if (body === undefined) throw new AccountingFailure("protocol", `${status}: no JSON`);
  if ((status >= 200 && status < 300) || accepts.includes(status)) return { status, body };
  const problem =
    status === 403 || status === 404 ? "refused" : status === 422 || status === 400 ? "data" : "protocol";
  throw new AccountingFailure(problem, errorTextOf(body) || String(status), { certain: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Error texts of a response body, without addresses and long numbers, which may be personal data. */
export function errorTextOf(body: unknown): string {
  const errors = Errors.safeParse(body).data?.errors ?? [];
  const texts = errors.map(({ title, detail }) => [title, detail].filter(Boolean).join(": ")).join("; ");
  return String(redactText(texts))
    .replace(/\d{5,}/g, "…")
    .slice(0, DETAIL_MAX);
}

/** Path and names of the query parameters; their values may be personal data. */
function loggedPath({ path, query }: CallRequest): string {
  const names = Object.keys(query ?? {}).filter((name) => !name.startsWith("page"));
  return names.length > 0 ? `${path}?${names.join("&")}` : path;
}
