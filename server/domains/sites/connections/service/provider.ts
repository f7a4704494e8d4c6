import * as z from "zod";
import { env } from "@/server/core/env";
import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { OutboundError, type OutboundRequest, outbound } from "@/server/infrastructure/http/outbound";
import { digest } from "@/server/infrastructure/secrets/tokens";
import type { RefusedReason } from "../errors";

/**
 * What a call to a party came to. `gone`: what it is about is not there any more. `dead`: the token is refused for good.
 * `not_ours`: it belongs to somebody else and was left alone. `retry`: another try may succeed. `forbidden`: somebody
 * has to change something first.
 */
export type Outcome = "ok" | "gone" | "dead" | "not_ours" | "retry" | "forbidden";
export type Step = "check" | "set" | "compare" | "clear" | "verify" | "shared";

/** A connection as its party knows it. */
export interface Target {
  channel: Channel;
  remoteKey: string;
  accountKey: string | null;
  config: Record<string, string>;
  secret: string;
  /** Of the secret part of our hook: given where another connection may have the same number by now. */
  hookHash?: string;
}

/** One call as a receipt shows it. */
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
  /** Why connecting was refused, where the outcome does not say it. */
  reason?: z.output<typeof RefusedReason>;
}

interface Request extends Omit<OutboundRequest, "timeout"> {
  step: Step;
  /** The address as it may be read by anybody. */
  shown?: string;
}

/** What an answer means, by the party's own rules. */
export type Verdict = (
  status: number,
  body: Record<string, unknown>,
) => { outcome: Outcome; code?: string | null };

/** Makes one call and tells what became of it, before it returns. */
export type Call = (request: Request, verdict: Verdict) => Promise<Reply>;

/** Where a connection can be tried. */
export interface Checker {
  /** Looks, creating nothing. */
  check(target: Target, call: Call): Promise<Reply>;
}

/** One party. The same functions serve connecting, looking after, dry runs and cleaning up. */
export interface Provider extends Checker {
  /** Points the party at our hook. */
  set(target: Target, hook: string, call: Call): Promise<Outcome>;
  /** Whether what is there is ours: `ok` when it is, else what stands in the way or makes clearing needless. */
  compare(target: Target, call: Call): Promise<Outcome>;
  clear(target: Target, call: Call): Promise<Outcome>;
  /** What connections of one account share: cleared with the last of them. It compares by itself. */
  clearShared?(target: Target, call: Call): Promise<Outcome>;
  /** Calls of {@link clear}, and of {@link clearShared}, as a dry run tells them. */
  plan(target: Target): { clear: string[]; shared: string[] };
}

const Answer = z.record(z.string(), z.unknown());

/** A record without a party's words when they repeat the secret, whole or its beginning. */
export function withoutSecret(record: CallRecord, { secret }: Pick<Target, "secret">): CallRecord {
  const repeated = secret !== "" && record.code?.includes(secret.slice(0, 8));
  return repeated ? { ...record, code: null } : record;
}

/** Calls through the one way out. `onCall` is awaited before the next call can be made. */
export function caller(onCall: (record: CallRecord) => Promise<void>, timeout?: number): Call {
  return async ({ step, shown, ...request }, verdict) => {
    const startedAt = performance.now();
    const found = await judged({ ...request, timeout }, verdict);
    await onCall({
      step,
      call: `${request.method} ${shown ?? shownOf(request.url)}`.slice(0, 300),
      status: found.status,
      code: found.code,
      outcome: found.outcome,
      ms: Math.round(performance.now() - startedAt),
    });
    return found;
  };
}

async function judged(
  request: OutboundRequest,
  verdict: Verdict,
): Promise<Reply & { status: number | null }> {
  try {
    const { status, text } = await outbound(request);
    const body = parsed(text);
    if (!body) return { outcome: "retry", status, code: "bad_answer", body: {} };
    const { outcome, code = null } = verdict(status, body);
    return { outcome, status, code, body };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const lasting = error.reason === "bad_address" || error.reason === "refused_address";
    const none = { status: null, code: error.reason, body: {} };
    return lasting ? { ...none, outcome: "forbidden", reason: "not_public" } : { ...none, outcome: "retry" };
  }
}

/** The answer when it is an object, `{}` for JSON's null; undefined for anything else: a party answers in JSON. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? {} : Answer.safeParse(value).data;
  } catch {
    return undefined;
  }
}

/** Host and path, without the query. */
function shownOf(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.host}${url.pathname}` : "?";
}

/** The address below which a channel's hooks are. */
export const hooksOf = (channel: Channel): string => `${env().APP_URL}/hooks/${channel}/`;

/** Whether an address leads to the connection's hook, which is ours. */
export function isOurs(
  address: unknown,
  { channel, hookHash }: Pick<Target, "channel" | "hookHash">,
): boolean {
  const base = hooksOf(channel);
  if (typeof address !== "string" || !address.startsWith(base)) return false;
  return !hookHash || digest(address.slice(base.length)).toString("base64url") === hookHash;
}

/** Removes what is outside, if it is ours. Every step may be repeated. */
export async function cleanOutside(provider: Provider, target: Target, call: Call): Promise<Outcome> {
  const standing = await provider.compare(target, call);
  return standing === "ok" ? provider.clear(target, call) : standing;
}
