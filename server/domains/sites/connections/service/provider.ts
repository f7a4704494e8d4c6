import * as z from "zod";
import { env } from "@/server/core/env";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { OutboundError, type OutboundRequest, outbound } from "@/server/infrastructure/http/outbound";
import { digest } from "@/server/infrastructure/secrets/tokens";
import type { RefusedReason } from "../errors";

/**
 * Outcome of a provider call. `gone`: the object does not exist. `dead`: the token is rejected for good.
 * `not_ours`: belongs to another party, left unchanged. `retry`: may succeed later. `forbidden`: someone must
 * change something first.
 */
export type Outcome = "ok" | "gone" | "dead" | "not_ours" | "retry" | "forbidden";
export type Step = "check" | "set" | "compare" | "clear" | "verify" | "shared";

export interface Target {
  channel: Channel;
  remoteKey: string;
  accountKey: string | null;
  config: Record<string, string>;
  secret: string;
  /** Hash of our webhook's secret part, set when another connection may have taken over the number. */
  hookHash?: string;
}

export interface CallRecord {
  step: Step;
  call: string;
  status: number | null;
  code: string | null;
  outcome: Outcome;
  ms: number;
}

export interface Reply {
  outcome: Outcome;
  code: string | null;
  body: Record<string, unknown>;
  /** Refusal reason, where the outcome is not specific enough. */
  reason?: z.output<typeof RefusedReason>;
}

interface Request extends Omit<OutboundRequest, "timeout"> {
  step: Step;
  /** Redacted URL for receipts. */
  displayUrl?: string;
}

export type Verdict = (
  status: number,
  body: Record<string, unknown>,
) => { outcome: Outcome; code?: string | null };

/** Makes one call and reports it before it returns. */
export type Call = (request: Request, verdict: Verdict) => Promise<Reply>;

export interface Checker {
  check(target: Target, call: Call): Promise<Reply>;
}

export interface Provider extends Checker {
  set(target: Target, hook: string, call: Call): Promise<Outcome>;
  /** Returns `ok` if our webhook is set, otherwise why clearing is impossible or unnecessary. */
  compare(target: Target, call: Call): Promise<Outcome>;
  clear(target: Target, call: Call): Promise<Outcome>;
  /** Clears settings of the whole provider account, if ours, with its last connection. */
  clearShared?(target: Target, call: Call): Promise<Outcome>;
  /** Calls of {@link clear} and {@link clearShared}, for dry runs. */
  plan(target: Target): { clear: string[]; shared: string[] };
}

const JsonObject = z.record(z.string(), z.unknown());

/** Drops the provider's error code if it repeats the secret or its beginning. */
export function withoutSecret(record: CallRecord, { secret }: Pick<Target, "secret">): CallRecord {
  const isRepeated = secret !== "" && record.code?.includes(secret.slice(0, 8));
  return isRepeated ? { ...record, code: null } : record;
}

/** Calls providers through the outbound client. Awaits `onCall` before it returns. */
export function createCall(onCall: (record: CallRecord) => Promise<void>, timeout?: number): Call {
  return async ({ step, displayUrl, ...request }, verdict) => {
    const startedAt = performance.now();
    const reply = await send({ ...request, timeout }, verdict);
    await onCall({
      step,
      call: `${request.method} ${displayUrl ?? withoutQuery(request.url)}`.slice(0, 300),
      status: reply.status,
      code: reply.code,
      outcome: reply.outcome,
      ms: Math.round(performance.now() - startedAt),
    });
    return reply;
  };
}

async function send(request: OutboundRequest, verdict: Verdict): Promise<Reply & { status: number | null }> {
  try {
    const { status, text } = await outbound(request);
    const body = parseObject(text);
    if (!body) return { outcome: "retry", status, code: "bad_answer", body: {} };
    const { outcome, code = null } = verdict(status, body);
    return { outcome, status, code, body };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isPermanent = error.reason === "bad_address" || error.reason === "refused_address";
    const noResponse = { status: null, code: error.reason, body: {} };
    return isPermanent
      ? { ...noResponse, outcome: "forbidden", reason: "not_public" }
      : { ...noResponse, outcome: "retry" };
  }
}

/** Parses a JSON object; `null` becomes `{}`. Returns undefined for anything else. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? {} : JsonObject.safeParse(value).data;
  } catch {
    return undefined;
  }
}

/** Host and path without the query, which may contain secrets. */
function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.host}${url.pathname}` : "?";
}

export const webhookBaseUrl = (channel: Channel): string => `${env().APP_URL}/hooks/${channel}/`;

/** Returns true for our webhook, of this connection if `hookHash` is set. */
export function isOurs(
  address: unknown,
  { channel, hookHash }: Pick<Target, "channel" | "hookHash">,
): boolean {
  const base = webhookBaseUrl(channel);
  if (typeof address !== "string" || !address.startsWith(base)) return false;
  return !hookHash || digest(address.slice(base.length)).toString("base64url") === hookHash;
}

/** Removes our settings at the provider. Every step may be repeated. */
export async function cleanAtProvider(provider: Provider, target: Target, call: Call): Promise<Outcome> {
  const state = await provider.compare(target, call);
  return state === "ok" ? provider.clear(target, call) : state;
}
