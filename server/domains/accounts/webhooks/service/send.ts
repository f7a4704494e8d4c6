import { env } from "@/server/core/env";
import { DAY, SECOND } from "@/server/core/time";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import type { WebhookFailure } from "../policy";
import { type Secrets, signedHeaders } from "./sign";

/** How long a receiver may take, in milliseconds. */
export const PATIENCE = { delivery: 15 * SECOND, test: 10 * SECOND };

/** What came of one attempt; `failure` null: delivered. */
export interface Attempt {
  status: number | null;
  failure: WebhookFailure | null;
  /** Milliseconds. */
  duration: number;
  /** When the receiver wants to hear from us again, at most a day from now. */
  retryAt: Date | null;
}

interface Message extends Secrets {
  url: string;
  eventId: string;
  body: string;
}

/** Sends one event once. Never throws: what goes wrong is a class, and nothing of the answer but its status is kept. */
export async function send(message: Message, timeout: number): Promise<Attempt> {
  const at = new Date();
  const begun = performance.now();
  const outcome = await answerTo(message, { at, timeout }).catch((error: unknown) => ({
    status: null,
    failure: failureOf(error),
    retryAt: null,
  }));
  return { ...outcome, duration: Math.round(performance.now() - begun) };
}

async function answerTo(
  { url, eventId, body, ...secrets }: Message,
  { at, timeout }: { at: Date; timeout: number },
) {
  const { status, retryAfter } = await outbound({
    method: "POST",
    url,
    headers: signedHeaders({ id: eventId, body, at }, secrets),
    body,
    timeout,
    anyHost: env().WEBHOOK_PRIVATE_HOSTS,
    unguarded: true,
    statusOnly: true,
  });
  return { status, failure: failureBy(status), retryAt: momentOf(retryAfter, at) };
}

function failureBy(status: number): WebhookFailure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

function failureOf(error: unknown): WebhookFailure {
  if (!(error instanceof OutboundError)) throw error;
  if (error.reason === "unresolved") return "dns";
  if (error.reason === "refused_address" || error.reason === "bad_address") return "private_address";
  if (error.reason === "timeout") return "timeout";
  return isTls(error.cause) ? "tls" : "connect";
}

/** Codes of OpenSSL and of Node's look at certificates. */
function isTls(cause: unknown): boolean {
  const code = String((cause as { code?: unknown } | undefined)?.code ?? "");
  return /^(ERR_(TLS|SSL)_|CERT_|EPROTO|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/.test(code);
}

/** `Retry-After` in seconds or as a date; what is past, or no time at all, says nothing. */
export function momentOf(header: string | undefined, now: Date): Date | null {
  if (!header) return null;
  const moment = /^\d{1,9}$/.test(header) ? now.getTime() + Number(header) * SECOND : Date.parse(header);
  if (!(moment > now.getTime())) return null;
  return new Date(Math.min(moment, now.getTime() + DAY));
}
