import * as z from "zod";
import { env } from "@/server/core/env";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { callOutbound, OutboundError, type OutboundRequest } from "@/server/infrastructure/http/outbound";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { RefusalReason } from "../errors";

/**
 * `gone`: the object or webhook does not exist. `dead`: the token is rejected for good. `not_ours`: another
 * webhook is set and is kept. `retry`: may succeed later. `forbidden`: fails until provider settings change.
 */
export type Outcome = "ok" | "gone" | "dead" | "not_ours" | "retry" | "forbidden";
export type Step = "check" | "set" | "compare" | "clear" | "verify" | "shared";

export interface Target {
  channel: Channel;
  /** ID of the bot, number, page or mailbox. */
  remoteKey: string;
  /** ID of the provider account (of WhatsApp or Twilio), which can have several connections; else null. */
  accountKey: string | null;
  config: Record<string, string>;
  secret: string;
  /** Hash of our webhook's secret part. If set, only this webhook counts as ours. */
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
  reason?: z.output<typeof RefusalReason>;
}

interface Request extends Omit<OutboundRequest, "timeout"> {
  step: Step;
  displayUrl?: string;
}

export type ResponseClassifier = (
  status: number,
  body: Record<string, unknown>,
) => { outcome: Outcome; code?: string | null };

export type CallProvider = (request: Request, classifyResponse: ResponseClassifier) => Promise<Reply>;

export interface CredentialChecker {
  checkCredentials(target: Target, call: CallProvider): Promise<Reply>;
}

export interface Provider extends CredentialChecker {
  setWebhook(target: Target, webhookUrl: string, call: CallProvider): Promise<Outcome>;
  /** Returns `ok` if our webhook is set, otherwise why it cannot or need not be cleared. */
  compareWebhook(target: Target, call: CallProvider): Promise<Outcome>;
  clearWebhook(target: Target, call: CallProvider): Promise<Outcome>;
  /** Clears account-wide settings (`shared` elsewhere). Called for the account's last connection. */
  clearAccountSettings?(target: Target, call: CallProvider): Promise<Outcome>;
  listCleanUpCalls(target: Target): { clear: string[]; accountWide: string[] };
}

const JsonObject = z.record(z.string(), z.unknown());

/** Drops the provider's error code if it repeats the secret or its beginning. */
export function redactSecret(record: CallRecord, { secret }: Pick<Target, "secret">): CallRecord {
  const isRepeated = secret !== "" && record.code?.includes(secret.slice(0, 8));
  return isRepeated ? { ...record, code: null } : record;
}

/** Creates the function that calls providers. It awaits `recordCall` before it returns. */
export function createProviderCaller(
  recordCall: (record: CallRecord) => Promise<void>,
  timeoutMs?: number,
): CallProvider {
  return async ({ step, displayUrl, ...request }, classifyResponse) => {
    const startedAt = performance.now();
    const reply = await sendRequest({ ...request, timeout: timeoutMs }, classifyResponse);
    await recordCall({
      step,
      call: `${request.method} ${displayUrl ?? formatHostAndPath(request.url)}`.slice(0, 300),
      status: reply.status,
      code: reply.code,
      outcome: reply.outcome,
      ms: Math.round(performance.now() - startedAt),
    });
    return reply;
  };
}

async function sendRequest(
  request: OutboundRequest,
  classifyResponse: ResponseClassifier,
): Promise<Reply & { status: number | null }> {
  try {
    const { status, text } = await callOutbound(request);
    const body = parseJsonObject(text);
    if (!body) return { outcome: "retry", status, code: "bad_answer", body: {} };
    const { outcome, code = null } = classifyResponse(status, body);
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

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? {} : JsonObject.safeParse(value).data;
  } catch {
    return undefined;
  }
}

/** Returns host and path only: the query may contain secrets. */
function formatHostAndPath(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.host}${url.pathname}` : "?";
}

export const getWebhookBaseUrl = (channel: Channel): string => `${env().APP_URL}/hooks/${channel}/`;

/** Returns true for our webhook, of this connection if `hookHash` is set. */
export function isOurWebhook(
  address: unknown,
  { channel, hookHash }: Pick<Target, "channel" | "hookHash">,
): boolean {
  const base = getWebhookBaseUrl(channel);
  if (typeof address !== "string" || !address.startsWith(base)) return false;
  return !hookHash || hashSecret(address.slice(base.length)).toString("base64url") === hookHash;
}

/** Removes our settings at the provider. Every step may be repeated. */
export async function cleanAtProvider(
  provider: Provider,
  target: Target,
  call: CallProvider,
): Promise<Outcome> {
  const state = await provider.compareWebhook(target, call);
  return state === "ok" ? provider.clearWebhook(target, call) : state;
}
