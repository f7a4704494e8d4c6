import { env } from "@/server/core/env";
import { DAY, SECOND } from "@/server/core/time";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import type { WebhookFailure } from "../policy";
import { type Secrets, signedHeaders } from "./sign";

/** Timeouts of a receiver, in milliseconds. */
export const TIMEOUTS = { delivery: 15 * SECOND, test: 10 * SECOND };

/** Result of an attempt; `failure` is null if delivered. */
export interface Attempt {
  status: number | null;
  failure: WebhookFailure | null;
  /** Milliseconds. */
  duration: number;
  /** From `Retry-After`, at most a day from now. */
  retryAt: Date | null;
}

interface Message extends Secrets {
  url: string;
  eventId: string;
  body: string;
}

/** Makes one attempt. Maps network errors to a kind of failure and discards the response body. */
export async function send(message: Message, timeout: number): Promise<Attempt> {
  const at = new Date();
  const startedAt = performance.now();
  const outcome = await requestOnce(message, { at, timeout }).catch((error: unknown) => ({
    status: null,
    failure: failureOfError(error),
    retryAt: null,
  }));
  return { ...outcome, duration: Math.round(performance.now() - startedAt) };
}

async function requestOnce(
  { url, eventId, body, ...secrets }: Message,
  { at, timeout }: { at: Date; timeout: number },
) {
  const { status, retryAfter } = await outbound({
    method: "POST",
    url,
    headers: signedHeaders({ id: eventId, body, at }, secrets),
    body,
    timeout,
    allowsPrivateHosts: env().WEBHOOK_PRIVATE_HOSTS,
    withoutBreaker: true,
    statusOnly: true,
  });
  return { status, failure: failureOfStatus(status), retryAt: parseRetryAfter(retryAfter, at) };
}

function failureOfStatus(status: number): WebhookFailure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

function failureOfError(error: unknown): WebhookFailure {
  if (!(error instanceof OutboundError)) throw error;
  if (error.reason === "unresolved") return "dns";
  if (error.reason === "refused_address" || error.reason === "bad_address") return "private_address";
  if (error.reason === "timeout") return "timeout";
  return isTls(error.cause) ? "tls" : "connect";
}

function isTls(cause: unknown): boolean {
  const code = String((cause as { code?: unknown } | undefined)?.code ?? "");
  return /^(ERR_(TLS|SSL)_|CERT_|EPROTO|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/.test(code);
}

/** Parses `Retry-After` in seconds or as a date; null if it is past or invalid. */
export function parseRetryAfter(header: string | undefined, now: Date): Date | null {
  if (!header) return null;
  const moment = /^\d{1,9}$/.test(header) ? now.getTime() + Number(header) * SECOND : Date.parse(header);
  if (!(moment > now.getTime())) return null;
  return new Date(Math.min(moment, now.getTime() + DAY));
}
