import type { Actor } from "@/server/core/context";
import { type AnyOperation, DEFAULT_LIMIT, type Limit } from "@/server/core/contract";
import { AppError, createError, throttleError } from "@/server/core/errors";
import type { Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { maskContacts } from "@/server/core/mask";
import type { RawUtf8 } from "@/server/core/raw-utf8";
import { getErrorReason } from "@/server/core/redact";
import { recordRefusedCall } from "@/server/domains/accounts/audit/service/refusals";
import { recordKeyUse } from "@/server/domains/accounts/key-use/service/record";
import { countViewStep } from "@/server/domains/tenancy/view-as/service/step";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import {
  type CounterState,
  consumePoints,
  isCounterExhausted,
  type RateLimitCounter,
  returnPoint,
  toIpBucket,
} from "@/server/infrastructure/rate-limit/limiter";
import type { Caller } from "./authenticate";
import { toAppError } from "./render-error";
import { getRequestHost } from "./request-origin";

export interface CallOrigin {
  requestId: string;
  ip: string;
  userAgent: string | null;
  acceptLanguage: string | null;
  host: string | null;
  pageUrl?: string | null;
  forwardedHops?: number;
  /** True for calls by a page being rendered: the page itself was counted. */
  isRendering?: boolean;
}

/** One call of an operation. The steps before it fill in the fields that are not readonly. */
export interface Call {
  readonly operation: AnyOperation;
  readonly origin: CallOrigin;
  actor: Actor;
  locale: Locale;
  /** Output that authentication has already queried; null or undefined if it must be computed. */
  bundledOutput?: RawUtf8 | null;
  idempotencyKey?: string | null;
  isReplayed?: boolean;
  rateLimit?: CounterState;
}

export function toOrigin(
  request: { ip: string; header(name: string): string | null },
  requestId: string,
): CallOrigin {
  return {
    requestId,
    ip: request.ip,
    userAgent: request.header("user-agent"),
    acceptLanguage: request.header("accept-language"),
    host: getRequestHost(request),
    pageUrl: request.header("origin") ?? request.header("referer"),
    forwardedHops: (request.header("x-forwarded-for") ?? "").split(",").filter((each) => each.trim()).length,
  };
}

export function newCall(operation: AnyOperation, origin: CallOrigin, locale: Locale): Call {
  return { operation, origin, actor: { kind: "anonymous" }, locale };
}

/** All transports share this order. A failed step leaves in `call` what log, headers and language need. */
export async function admitCall(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  await authenticateCall(call, authenticate);
  if (call.actor.kind === "user") recordKeyUse(call.actor, call.operation.id, call.origin.ip);
  if (call.operation.limit || !call.origin.isRendering) {
    call.rateLimit = await consumePoints(...getCounterAndKey(call, call.operation.limit));
    const { allowed, retryAfter } = call.rateLimit;
    if (!allowed) throw createError("too_many_requests", { retryAfter });
  }
  checkAbility(call);
  if (call.actor.kind === "user" && call.actor.impersonation)
    await countViewStep(call.actor.impersonation.viewAsId, call.operation.id);
}

/** Repeats authentication and the ability check after a slow body: the token may have been revoked. */
export async function readmitCall(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  await authenticateCall(call, authenticate);
  checkAbility(call);
}

async function authenticateCall(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  if (call.operation.access !== "token") return;
  const { actor, locale, bundledOutput, impersonator, hasImpersonationEnded, isTwoFactorOverdue } =
    await authenticate();
  const shouldUseImpersonator = call.operation.viewAs === "self";
  // A page of the viewed account is still open: its calls must not affect the viewer's own account.
  if (hasImpersonationEnded && !shouldUseImpersonator) throw createError("view_as_over");
  call.actor = (shouldUseImpersonator && impersonator) || actor;
  call.bundledOutput = bundledOutput;
  call.locale = locale ?? call.locale;
  if (isTwoFactorOverdue && !call.operation.isAllowedWithoutFactor)
    throw new AppError("second_factor_required", { requires_two_factor_setup: true });
}

export async function isLimitExhausted({ operation, origin }: Call, userId: number): Promise<boolean> {
  const actor = { kind: "user", id: userId } as const;
  return isCounterExhausted(...getCounterAndKey({ operation, origin, actor }, operation.limit));
}

function getCounterAndKey(
  {
    operation,
    actor,
    origin,
  }: Pick<Call, "operation" | "origin"> & { actor: { kind: Actor["kind"]; id?: number } },
  operationLimit: Limit | undefined,
): [RateLimitCounter, string] {
  const limit = operationLimit ?? DEFAULT_LIMIT;
  const key = limit.by === "account" && actor.kind === "user" ? `u${actor.id}` : toIpBucket(origin.ip);
  return [{ name: operationLimit ? `op:${operation.id}` : "op", ...limit }, key];
}

/** Checks the token only, regardless of the account's role. */
function checkAbility({ operation, actor }: Call): void {
  if (actor.kind !== "user") return;
  if (actor.token.kind === "external_key") {
    if (!operation.acceptsSiteKey) throw createError("forbidden");
    return;
  }
  if (actor.impersonation && !isAllowedInImpersonation(operation, actor.token.abilities))
    throw createError("view_as_closed");
  const { abilities } = actor.token;
  if (abilities.includes("*")) return;
  const requiredAbility = operation.ability === undefined ? "read" : operation.ability;
  if (requiredAbility && !abilities.includes(requiredAbility)) throw createError("forbidden");
}

function isAllowedInImpersonation({ viewAs, ability = "read" }: AnyOperation, abilities: string[]): boolean {
  return viewAs !== false && ability !== null && abilities.includes(ability);
}

/** Codes of errors in the input alone; they reveal nothing about stored data. */
const INPUT_ERROR_CODES: ReadonlySet<string> = new Set([
  "validation",
  "consents_missing",
  "malformed_json",
  "media_type_unsupported",
]);

/** Converts an exception to the error to send and adjusts the counters. Never throws. */
export async function handleFailure(call: Call | undefined, error: unknown): Promise<AppError> {
  const failure = maskContactsInFailure(toAppError(error), call);
  if (!call) return failure;
  // A failing counter or audit write must not hide the original error.
  await auditForbidden(call, failure).catch(() => {});
  return countFailure(call, failure).catch(() => failure);
}

function maskContactsInFailure(failure: AppError, call: Call | undefined): AppError {
  const impersonation = call?.actor.kind === "user" ? call.actor.impersonation : undefined;
  if (!impersonation) return failure;
  const mask = <T>(value: T) => maskContacts(value, impersonation.visibleContacts) as T;
  const { cause, ...extras } = failure.extras;
  return new AppError(failure.code, mask(failure.fields), { ...mask(extras), cause });
}

const PRIVILEGED_PATH_PATTERN = /^\/api\/(admin|reseller)\//;

/** Impersonations are exempt: the viewed panel may call such routes. */
async function auditForbidden({ operation, actor, locale, origin }: Call, { code }: AppError): Promise<void> {
  if (
    code !== "forbidden" ||
    actor.kind !== "user" ||
    actor.impersonation ||
    !PRIVILEGED_PATH_PATTERN.test(operation.path)
  )
    return;
  await recordRefusedCall({ ...origin, actor, locale, ...withoutTransaction() }, operation.id);
}

/**
 * Counts an invalid call against the shared limit, unless the operation's own limit is documented. Returns
 * the error to send.
 */
async function countFailure(call: Call, failure: AppError): Promise<AppError> {
  const { limit, isSignIn } = call.operation;
  const isInputError =
    call.rateLimit && INPUT_ERROR_CODES.has(failure.code) && !failure.extras.countsAgainstLimit;
  let failureToSend = failure;
  if (isInputError && limit && !limit.isDocumented) {
    call.rateLimit = await returnPoint(...getCounterAndKey(call, limit));
    const sharedState = await consumePoints(...getCounterAndKey(call, undefined));
    if (!sharedState.allowed) {
      call.rateLimit = sharedState;
      failureToSend = createError("too_many_requests", { retryAfter: sharedState.retryAfter });
    }
  }
  if (!isSignIn || failureToSend.code !== "too_many_requests") return failureToSend;
  return throttleError("way_in_throttled", {
    retryAfter: failureToSend.extras.retryAfter ?? 1,
    limit: failureToSend.extras.limit,
  });
}

export function logCall(fields: Record<string, unknown>, failure: AppError | undefined): void {
  const cause = failure?.extras.cause;
  if (failure?.code === "server_error") log.error({ ...fields, cause });
  else if (failure?.status === 503) log.warn({ ...fields, reason: getErrorReason(cause) });
  else log.info(fields);
}
