import type { Actor } from "@/server/core/context";
import { type AnyOperation, DEFAULT_LIMIT, type Limit } from "@/server/core/contract";
import { AppError, refuse, throttled } from "@/server/core/errors";
import type { Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { maskContacts } from "@/server/core/mask";
import type { RawUtf8 } from "@/server/core/raw-utf8";
import { errorReason } from "@/server/core/redact";
import { recordRefusedCall } from "@/server/domains/accounts/audit/service/refusals";
import { countUse } from "@/server/domains/accounts/key-use/service";
import { countViewStep } from "@/server/domains/tenancy/view-as/service/step";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import {
  addressBucket,
  type Counter,
  type CounterState,
  consume,
  isExhausted,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";
import type { Caller } from "./authenticate";
import { toAppError } from "./render-error";
import { hostOf } from "./request-origin";

export interface Origin {
  requestId: string;
  ip: string;
  userAgent: string | null;
  acceptLanguage: string | null;
  host: string | null;
  forwardedHops?: number;
  /** True for calls by a page being rendered: the page itself was counted. */
  isRendering?: boolean;
}

export interface Call {
  readonly operation: AnyOperation;
  readonly origin: Origin;
  actor: Actor;
  locale: Locale;
  /** See `Caller.output`. */
  output?: RawUtf8 | null;
  idempotencyKey?: string | null;
  /** True when the response repeats an earlier call with the same key. */
  replayed?: boolean;
  rateLimit?: CounterState;
}

export function originOf(
  request: { ip: string; header(name: string): string | null },
  requestId: string,
): Origin {
  return {
    requestId,
    ip: request.ip,
    userAgent: request.header("user-agent"),
    acceptLanguage: request.header("accept-language"),
    host: hostOf(request),
    forwardedHops: (request.header("x-forwarded-for") ?? "").split(",").filter((each) => each.trim()).length,
  };
}

export function newCall(operation: AnyOperation, origin: Origin, locale: Locale): Call {
  return { operation, origin, actor: { kind: "anonymous" }, locale };
}

/**
 * Runs the steps before an operation, in this order for every transport: authenticate, count, check the
 * ability. A failed step leaves in `call` what the log, the headers and the error's language need.
 */
export async function admitCall(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  await authenticateCall(call, authenticate);
  if (call.actor.kind === "user") countUse(call.actor, call.operation.id, call.origin.ip);
  if (call.operation.limit || !call.origin.isRendering) {
    call.rateLimit = await consume(...counterOf(call, call.operation.limit));
    const { allowed, retryAfter } = call.rateLimit;
    if (!allowed) throw refuse("too_many_requests", { retryAfter });
  }
  checkAbility(call);
  if (call.actor.kind === "user" && call.actor.impersonation)
    await countViewStep(call.actor.impersonation.viewId, call.operation.id);
}

/** Repeats the checks after the body has arrived: the token may have been revoked or the role changed. */
export async function readmitCall(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  await authenticateCall(call, authenticate);
  checkAbility(call);
}

async function authenticateCall(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  if (call.operation.access !== "token") return;
  const { actor, locale, output, self, hasViewEnded, isOverdue } = await authenticate();
  const asSelf = call.operation.viewAs === "self";
  // A page of the viewed account is still open: its calls must not affect the viewer's own account.
  if (hasViewEnded && !asSelf) throw refuse("view_as_over");
  call.actor = (asSelf && self) || actor;
  call.output = output;
  call.locale = locale ?? call.locale;
  if (isOverdue && !call.operation.isOpenWithoutFactor)
    throw new AppError("second_factor_required", { requires_two_factor_setup: true });
}

export async function isLimitUsedUp({ operation, origin }: Call, userId: number): Promise<boolean> {
  const actor = { kind: "user", id: userId } as const;
  return isExhausted(...counterOf({ operation, origin, actor }, operation.limit));
}

/** Returns the operation's own counter, or the shared one for operations without a limit. */
function counterOf(
  {
    operation,
    actor,
    origin,
  }: Pick<Call, "operation" | "origin"> & { actor: { kind: Actor["kind"]; id?: number } },
  own: Limit | undefined,
): [Counter, string] {
  const limit = own ?? DEFAULT_LIMIT;
  const key = limit.by === "account" && actor.kind === "user" ? `u${actor.id}` : addressBucket(origin.ip);
  return [{ name: own ? `op:${operation.id}` : "op", ...limit }, key];
}

/** Applies regardless of the account's role. */
function checkAbility({ operation, actor }: Call): void {
  if (actor.kind !== "user") return;
  if (actor.token.kind === "external_key") {
    if (!operation.siteKey) throw refuse("forbidden");
    return;
  }
  if (actor.impersonation && !isAllowedInView(operation, actor.token.abilities))
    throw refuse("view_as_closed");
  const { abilities } = actor.token;
  if (abilities.includes("*")) return;
  const needed = operation.ability === undefined ? "read" : operation.ability;
  if (needed && !abilities.includes(needed)) throw refuse("forbidden");
}

function isAllowedInView({ viewAs, ability = "read" }: AnyOperation, abilities: string[]): boolean {
  return viewAs !== false && ability !== null && abilities.includes(ability);
}

/** Codes of errors in the input alone; they reveal nothing about stored data. */
const INPUT_REFUSED: ReadonlySet<string> = new Set([
  "validation",
  "consents_missing",
  "malformed_json",
  "media_type_unsupported",
]);

/** Converts an exception to the error to send and adjusts the counters. Never throws. */
export async function handleFailure(call: Call | undefined, thrown: unknown): Promise<AppError> {
  const failure = maskFailure(toAppError(thrown), call);
  if (!call) return failure;
  // Best effort: a failing counter or log must not hide the original error.
  await auditForbidden(call, failure).catch(() => {});
  return settle(call, failure).catch(() => failure);
}

function maskFailure(failure: AppError, call: Call | undefined): AppError {
  const behalf = call?.actor.kind === "user" ? call.actor.impersonation : undefined;
  if (!behalf) return failure;
  const mask = <T>(value: T) => maskContacts(value, behalf.visibleContacts) as T;
  const { cause, ...extras } = failure.extras;
  return new AppError(failure.code, mask(failure.fields), { ...mask(extras), cause });
}

const GUARDED = /^\/api\/(admin|reseller)\//;

/** Impersonations are exempt: the viewed panel may call such routes. */
async function auditForbidden({ operation, actor, locale, origin }: Call, { code }: AppError): Promise<void> {
  if (code !== "forbidden" || actor.kind !== "user" || actor.impersonation || !GUARDED.test(operation.path))
    return;
  await recordRefusedCall({ ...origin, actor, locale, ...withoutTransaction() }, operation.id);
}

/**
 * Invalid input does not use up a limit that the contract does not name: it counts against the shared limit,
 * which still bounds a flood.
 */
async function settle(call: Call, failure: AppError): Promise<AppError> {
  const { limit, isSignIn } = call.operation;
  const isInputError =
    call.rateLimit && INPUT_REFUSED.has(failure.code) && !failure.extras.countsAgainstLimit;
  let sentFailure = failure;
  if (isInputError && limit && !limit.isDocumented) {
    call.rateLimit = await returnPoint(...counterOf(call, limit));
    const shared = await consume(...counterOf(call, undefined));
    if (!shared.allowed) {
      call.rateLimit = shared;
      sentFailure = refuse("too_many_requests", { retryAfter: shared.retryAfter });
    }
  }
  if (!isSignIn || sentFailure.code !== "too_many_requests") return sentFailure;
  return throttled("way_in_throttled", {
    retryAfter: sentFailure.extras.retryAfter ?? 1,
    limit: sentFailure.extras.limit,
  });
}

export function logCall(line: Record<string, unknown>, failure: AppError | undefined): void {
  const cause = failure?.extras.cause;
  if (failure?.code === "server_error") log.error({ ...line, cause });
  else if (failure?.status === 503) log.warn({ ...line, reason: errorReason(cause) });
  else log.info(line);
}
