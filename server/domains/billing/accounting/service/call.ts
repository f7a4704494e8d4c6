import * as z from "zod";
import { env } from "@/server/core/env";
import { redacted } from "@/server/core/redact";
import { SECOND } from "@/server/core/time";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import { USER_AGENT } from "@/server/infrastructure/http/service";
import type { Problem } from "../policy";
import { type Tokens, tokensOfRun } from "./access";
import { AccountingFailure, type Call, type CallRequest } from "./provider";

/** A call as the page of its invoice shows it. */
export interface CallRecord {
  call: string;
  status: number | null;
  outcome: "ok" | Problem;
  detail: string | null;
  ms: number;
}

/** How long the service wants to be left alone after too many calls. */
const TOO_MANY = 10 * SECOND;
const WORDS_MAX = 500;

const Errors = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().optional() })),
});

/** Calls the service with a valid token; `onCall` is awaited before the next call can be made. */
export function caller(onCall: (record: CallRecord) => Promise<void>, tokens: Tokens = tokensOfRun()): Call {
  return async (request) => {
    const startedAt = performance.now();
    const note = (status: number | null, failure?: AccountingFailure) =>
      onCall({
        call: `${request.method} ${shownOf(request)}`.slice(0, 300),
        status,
        outcome: failure?.problem ?? "ok",
        detail: failure?.words || null,
        ms: Math.round(performance.now() - startedAt),
      });
    let status: number | null = null;
    try {
      const found = await withToken(request, tokens, (answered) => {
        status = answered;
      });
      await note(found.status);
      return found;
    } catch (error) {
      if (error instanceof AccountingFailure) await note(status, error);
      throw error;
    }
  };
}

/** With the token at hand; when that is refused, with another one, once. */
async function withToken(request: CallRequest, tokens: Tokens, answered: (status: number) => void) {
  const token = await tokens();
  const first = await send(request, token);
  const found = first.status === 401 ? await send(request, await tokens(token)) : first;
  answered(found.status);
  if (found.status === 401) throw new AccountingFailure("credentials", "401", { certain: true });
  return judged(request, found);
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
    throw new AccountingFailure(...WITHOUT_ANSWER[error.reason]);
  }
}

/** What it means that no answer came. Only where nothing was sent is it certain that nothing was done. */
const WITHOUT_ANSWER: Record<OutboundError["reason"], [Problem, string, { certain?: boolean }]> = {
  timeout: ["transient", "timeout", {}],
  unreachable: ["transient", "unreachable", {}],
  too_large: ["protocol", "too large", {}],
  unresolved: ["transient", "unresolved", { certain: true }],
  breaker_open: ["transient", "not asked: it failed several times", { certain: true }],
  bad_address: ["refused", "bad address", { certain: true }],
  refused_address: ["refused", "refused address", { certain: true }],
};

function judged(
  { accepts = [] }: CallRequest,
  { status, text }: { status: number; text: string },
): { status: number; body: unknown } {
  if (status === 429) throw new AccountingFailure("transient", "429", { certain: true, wait: TOO_MANY });
  if (status >= 500 || status === 408) throw new AccountingFailure("transient", String(status));
  const body = text === "" ? {} : parsed(text);
  if (body === undefined) throw new AccountingFailure("protocol", `${status}: no JSON`);
  if ((status >= 200 && status < 300) || accepts.includes(status)) return { status, body };
  const problem =
    status === 403 || status === 404 ? "refused" : status === 422 || status === 400 ? "data" : "protocol";
  throw new AccountingFailure(problem, wordsOf(body) || String(status), { certain: true });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The service's own words, without addresses and long numbers, which may be somebody's. */
export function wordsOf(body: unknown): string {
  const found = Errors.safeParse(body).data?.errors ?? [];
  const words = found.map(({ title, detail }) => [title, detail].filter(Boolean).join(": ")).join("; ");
  return String(redacted(words))
    .replace(/\d{5,}/g, "…")
    .slice(0, WORDS_MAX);
}

/** Path and names of the filters, without their values. */
function shownOf({ path, query }: CallRequest): string {
  const names = Object.keys(query ?? {}).filter((name) => !name.startsWith("page"));
  return names.length > 0 ? `${path}?${names.join("&")}` : path;
}
