import { env } from "@/server/core/env";
import { DAY, SECOND } from "@/server/core/time";
import { callOutbound, OutboundError } from "@/server/infrastructure/http/outbound";
import type { WebhookFailure } from "../policy";
import { buildSignedHeaders, type SigningSecrets } from "./sign";

export const TIMEOUTS_MS = { delivery: 15 * SECOND, test: 10 * SECOND };

export interface Attempt {
  status: number | null;
  failure: WebhookFailure | null;
  durationMs: number;
  /** From `Retry-After`, at most a day from now. */
  retryAt: Date | null;
}

interface WebhookMessage extends SigningSecrets {
  url: string;
  eventId: string;
  body: string;
}

/** Makes one attempt. Maps network errors to a kind of failure and discards the response body. */
export async function sendAttempt(message: WebhookMessage, timeoutMs: number): Promise<Attempt> {
  const at = new Date();
  const startedAt = performance.now();
  const result = await requestOnce(message, { at, timeoutMs }).catch((error: unknown) => ({
    status: null,
    failure: getErrorFailure(error),
    retryAt: null,
  }));
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

async function requestOnce(
  { url, eventId, body, ...secrets }: WebhookMessage,
  { at, timeoutMs }: { at: Date; timeoutMs: number },
) {
  const { status, retryAfter } = await callOutbound({
    method: "POST",
    url,
    headers: buildSignedHeaders({ id: eventId, body, at }, secrets),
    body,
    timeout: timeoutMs,
    allowsPrivateHosts: env().WEBHOOK_PRIVATE_HOSTS,
    bypassesBreaker: true,
    statusOnly: true,
  });
  return { status, failure: getStatusFailure(status), retryAt: parseRetryAfter(retryAfter, at) };
}

function getStatusFailure(status: number): WebhookFailure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

function getErrorFailure(error: unknown): WebhookFailure {
  if (!(error instanceof OutboundError)) throw error;
  if (error.reason === "unresolved") return "dns";
  if (error.reason === "refused_address" || error.reason === "bad_address") return "private_address";
  if (error.reason === "timeout") return "timeout";
  return isTlsError(error.cause) ? "tls" : "connect";
}

function isTlsError(cause: unknown): boolean {
  const code = String((cause as { code?: unknown } | undefined)?.code ?? "");
  return /^(ERR_(TLS|SSL)_|CERT_|EPROTO|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/.test(code);
}

/** Parses `Retry-After` in seconds or as a date; null if it is past or invalid. */
export function parseRetryAfter(header: string | undefined, now: Date): Date | null {
  if (!header) return null;
  const retryTime = /^\d{1,9}$/.test(header) ? now.getTime() + Number(header) * SECOND : Date.parse(header);
  if (!(retryTime > now.getTime())) return null;
  return new Date(Math.min(retryTime, now.getTime() + DAY));
}
