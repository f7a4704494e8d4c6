import type { Actor } from "@/server/core/context";
import { type AnyOperation, DEFAULT_LIMIT, type Limit } from "@/server/core/contract";
import { AppError, refuse, throttled } from "@/server/core/errors";
import type { Locale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { maskStrangers } from "@/server/core/mask";
import { reasonOf } from "@/server/core/redact";
import type { Unread } from "@/server/core/unread";
import { noteRefusal } from "@/server/domains/accounts/audit/service/refusals";
import { countUse } from "@/server/domains/accounts/key-use/service";
import { noteStep } from "@/server/domains/tenancy/view-as/service/step";
import { outside } from "@/server/infrastructure/database/transaction";
import {
  addressBucket,
  type Counter,
  consume,
  giveBack,
  isUsedUp,
  type Standing,
} from "@/server/infrastructure/rate-limit/limiter";
import type { Caller } from "./actor";
import { toAppError } from "./render-error";
import { hostOf } from "./request-origin";

/** What a transport knows of a request before an operation runs. */
export interface Origin {
  requestId: string;
  ip: string;
  userAgent: string | null;
  acceptLanguage: string | null;
  host: string | null;
  forwarded?: number;
  /** Whether a page that is being made calls, which was counted as a page. */
  rendering?: boolean;
}

/** A call of an operation while it runs; starts anonymous. */
export interface Call {
  readonly operation: AnyOperation;
  readonly origin: Origin;
  actor: Actor;
  /** Language of texts in the response. */
  locale: Locale;
  /** What was read together with the token, as JSON. */
  output?: Unread | null;
  /** Key under which the client may repeat the call. */
  idempotencyKey?: string | null;
  /** Whether the response is that of an earlier call with the key. */
  replayed?: boolean;
  /** State of the counter, once the call is counted. */
  standing?: Standing;
}

/** Returns the origin of a REST request. */
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
    forwarded: (request.header("x-forwarded-for") ?? "").split(",").filter((each) => each.trim()).length,
  };
}

/** Starts a call, before anything of it is checked. */
export function newCall(operation: AnyOperation, origin: Origin, locale: Locale): Call {
  return { operation, origin, actor: { kind: "anonymous" }, locale };
}

/**
 * The steps before an operation runs, in this order for every transport: authenticate, count, check the ability. What a
 * failed step leaves in `call` is what the log, the headers and the language of the error are made from.
 */
export async function admit(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  await identify(call, authenticate);
  if (call.actor.kind === "user") countUse(call.actor, call.operation.id, call.origin.ip);
  if (call.operation.limit || !call.origin.rendering) {
    call.standing = await consume(...counterOf(call, call.operation.limit));
    const { allowed, retryAfter } = call.standing;
    if (!allowed) throw refuse("too_many_requests", { retryAfter });
  }
  checkAbility(call);
  if (call.actor.kind === "user" && call.actor.behalf)
    await noteStep(call.actor.behalf.viewId, call.operation.id);
}

/** Repeats what may have changed while the body arrived: the token may be revoked, its owner may be somebody less. */
export async function readmit(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  await identify(call, authenticate);
  checkAbility(call);
}

async function identify(call: Call, authenticate: () => Promise<Caller>): Promise<void> {
  if (call.operation.access !== "token") return;
  const { actor, locale, output, self, viewIsOver, isOverdue } = await authenticate();
  const asSelf = call.operation.viewAs === "self";
  // A page of somebody else's panel is still open: what it calls must not happen in the viewer's own account.
  if (viewIsOver && !asSelf) throw refuse("view_as_over");
  call.actor = (asSelf && self) || actor;
  call.output = output;
  call.locale = locale ?? call.locale;
  if (isOverdue && !call.operation.withoutFactor)
    throw new AppError("second_factor_required", { requires_two_factor_setup: true });
}

/** Whether an account has used up the limit of this operation, without counting anything. */
export async function isSpent({ operation, origin }: Call, userId: number): Promise<boolean> {
  const actor = { kind: "user", id: userId } as const;
  return isUsedUp(...counterOf({ operation, origin, actor }, operation.limit));
}

/** Returns the operation's own counter, or the one shared by all operations without a limit of their own. */
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

/**
 * Refuses a token that lacks the operation's ability, whatever its owner may do, and a site's key where none is
 * accepted.
 */
function checkAbility({ operation, actor }: Call): void {
  if (actor.kind !== "user") return;
  if (actor.token.kind === "external_key") {
    if (!operation.siteKey) throw refuse("forbidden");
    return;
  }
  if (actor.behalf && !mayLook(operation, actor.token.abilities)) throw refuse("view_as_closed");
  const { abilities } = actor.token;
  if (abilities.includes("*")) return;
  const needed = operation.ability === undefined ? "read" : operation.ability;
  if (needed && !abilities.includes(needed)) throw refuse("forbidden");
}

/** Whether a view as another person may call this: reading, except what is closed to it. */
function mayLook({ viewAs, ability = "read" }: AnyOperation, abilities: string[]): boolean {
  return viewAs !== false && ability !== null && abilities.includes(ability);
}

/** Codes that refuse input by rules anyone can read. */
const INPUT_REFUSED: ReadonlySet<string> = new Set([
  "validation",
  "consents_missing",
  "malformed_json",
  "media_type_unsupported",
]);

/** Returns the error to send for what a call threw, and adjusts the call's counters. Never throws. */
export async function failureOf(call: Call | undefined, thrown: unknown): Promise<AppError> {
  const failure = masked(toAppError(thrown), call);
  if (!call) return failure;
  // Both are a courtesy: a counter or a log that is away must not hide what went wrong.
  await noteRefused(call, failure).catch(() => {});
  return settle(call, failure).catch(() => failure);
}

/** Masks third persons in the error of a visit, as `perform()` masks them in its output. */
function masked(failure: AppError, call: Call | undefined): AppError {
  const behalf = call?.actor.kind === "user" ? call.actor.behalf : undefined;
  if (!behalf) return failure;
  const mask = <T>(value: T) => maskStrangers(value, behalf.known) as T;
  const { cause, ...extras } = failure.extras;
  return new AppError(failure.code, mask(failure.fields), { ...mask(extras), cause });
}

/** What is for administrators and resellers. */
const GUARDED = /^\/api\/(admin|reseller)\//;

/** Records who tries what is not theirs to call; a visit tries what the panel of another shows. */
async function noteRefused({ operation, actor, locale, origin }: Call, { code }: AppError): Promise<void> {
  if (code !== "forbidden" || actor.kind !== "user" || actor.behalf || !GUARDED.test(operation.path)) return;
  await noteRefusal({ ...origin, actor, locale, ...outside() }, operation.id);
}

/**
 * Adjusts the counters of a call that failed and returns the error to send. Refused input does not use up a limit
 * that the contract does not name: the call moves to the limit that all operations share, which still bounds a flood.
 * A throttled sign-in gets the documented fields.
 */
async function settle(call: Call, failure: AppError): Promise<AppError> {
  const { limit, wayIn } = call.operation;
  const forgiven = call.standing && INPUT_REFUSED.has(failure.code) && !failure.extras.counted;
  let outcome = failure;
  if (forgiven && limit && !limit.named) {
    call.standing = await giveBack(...counterOf(call, limit));
    const shared = await consume(...counterOf(call, undefined));
    if (!shared.allowed) {
      call.standing = shared;
      outcome = refuse("too_many_requests", { retryAfter: shared.retryAfter });
    }
  }
  if (!wayIn || outcome.code !== "too_many_requests") return outcome;
  return throttled("way_in_throttled", {
    retryAfter: outcome.extras.retryAfter ?? 1,
    limit: outcome.extras.limit,
  });
}

/** Writes the log line of a call: a bug with its cause and stack, an overload with its reason. */
export function logCall(line: Record<string, unknown>, failure: AppError | undefined): void {
  const cause = failure?.extras.cause;
  if (failure?.code === "server_error") log.error({ ...line, cause });
  else if (failure?.status === 503) log.warn({ ...line, reason: reasonOf(cause) });
  else log.info(line);
}
