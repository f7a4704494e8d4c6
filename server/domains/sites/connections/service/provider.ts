import * as z from "zod";
import { env } from "@/server/core/env";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { callOutbound, OutboundError, type OutboundRequest } from "@/server/infrastructure/http/outbound";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { RefusalReason, TestMessageRefusal } from "../errors";

/**
 * `gone`: the object or webhook does not exist. `dead`: the token is rejected for good. `not_ours`: another
 * webhook is set and is kept. `retry`: may succeed later. `forbidden`: fails until provider settings change.
 */
export type CallOutcome = "ok" | "gone" | "dead" | "not_ours" | "retry" | "forbidden";
export type CallStep = "check" | "set" | "compare" | "clear" | "verify" | "shared" | "test";

export interface ProviderTarget {
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
  step: CallStep;
  call: string;
  status: number | null;
  code: string | null;
  outcome: CallOutcome;
  ms: number;
}

export interface ProviderReply {
  outcome: CallOutcome;
  code: string | null;
  body: Record<string, unknown>;
  reason?: z.output<typeof RefusalReason>;
}

interface ProviderRequest extends Omit<OutboundRequest, "timeout"> {
  step: CallStep;
  displayUrl?: string;
}

export type ResponseClassifier = (
  status: number,
  body: Record<string, unknown>,
) => { outcome: CallOutcome; code?: string | null };

export type ProviderCaller = (
  request: ProviderRequest,
  classifyResponse: ResponseClassifier,
) => Promise<ProviderReply>;

export interface CredentialChecker {
  checkCredentials(target: ProviderTarget, call: ProviderCaller): Promise<ProviderReply>;
}

export interface Provider extends CredentialChecker {
  setWebhook(target: ProviderTarget, webhookUrl: string, call: ProviderCaller): Promise<CallOutcome>;
  /** Returns `ok` if our webhook is set, otherwise why it cannot or need not be cleared. */
  checkWebhookOwner(target: ProviderTarget, call: ProviderCaller): Promise<CallOutcome>;
  clearWebhook(target: ProviderTarget, call: ProviderCaller): Promise<CallOutcome>;
  /** Clears account-wide settings (`shared` elsewhere). Called for the account's last connection. */
  clearAccountSettings?(target: ProviderTarget, call: ProviderCaller): Promise<CallOutcome>;
  listCleanUpCalls(target: ProviderTarget): { clearCalls: string[]; accountWideCalls: string[] };
}

/** `refusal` is more specific than the outcome. */
export interface TestMessageReply {
  outcome: CallOutcome;
  refusal?: TestMessageRefusal;
}

export interface TestMessageSender {
  /** `to` is in E.164 format. Providers with templates ignore the text. */
  sendTestMessage(
    target: ProviderTarget,
    message: { to: string; text: string },
    call: ProviderCaller,
  ): Promise<TestMessageReply>;
}

/** Adds the refusal that a provider's error code stands for. */
export function withRefusal(
  { outcome, code }: Pick<ProviderReply, "outcome" | "code">,
  refusalByCode: Partial<Record<string, TestMessageRefusal>>,
): TestMessageReply {
  return { outcome, refusal: code === null ? undefined : refusalByCode[code] };
}

const JsonObject = z.record(z.string(), z.unknown());

/** Drops the provider's error code if it repeats the secret or its beginning. */
export function redactSecret(record: CallRecord, { secret }: Pick<ProviderTarget, "secret">): CallRecord {
  const isRepeated = secret !== "" && record.code?.includes(secret.slice(0, 8));
  return isRepeated ? { ...record, code: null } : record;
}

/** Creates the function that calls providers. It awaits `recordCall` before it returns. */
export function createProviderCaller(
  recordCall: (record: CallRecord) => Promise<void>,
  timeoutMs?: number,
): ProviderCaller {
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
): Promise<ProviderReply & { status: number | null }> {
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
  { channel, hookHash }: Pick<ProviderTarget, "channel" | "hookHash">,
): boolean {
  const base = getWebhookBaseUrl(channel);
  if (typeof address !== "string" || !address.startsWith(base)) return false;
  return !hookHash || hashSecret(address.slice(base.length)).toString("base64url") === hookHash;
}

/** Removes our settings at the provider. Every step may be repeated. */
export async function cleanAtProvider(
  provider: Provider,
  target: ProviderTarget,
  callProvider: ProviderCaller,
): Promise<CallOutcome> {
  const comparison = await provider.checkWebhookOwner(target, callProvider);
  return comparison === "ok" ? provider.clearWebhook(target, callProvider) : comparison;
}
