import type * as z from "zod";
import type { Actor, Context } from "@/server/core/context";
import {
  type AnyOperation,
  DEFAULT_LIMIT,
  FileOutput,
  type Handler,
  type Limit,
  RawJson,
  type Upload,
} from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, refuse, throttled } from "@/server/core/errors";
import type { Locale } from "@/server/core/locale";
import { outside } from "@/server/infrastructure/database/transaction";
import {
  addressBucket,
  type Counter,
  consume,
  giveBack,
  type Standing,
} from "@/server/infrastructure/rate-limit/limiter";
import { fieldIssues } from "./issues";
import { toAppError } from "./render-error";

/** What a transport knows of a request before an operation runs. */
export interface Origin {
  requestId: string;
  ip: string;
  userAgent: string | null;
  acceptLanguage: string | null;
  host: string | null;
}

/** Creates a context outside any transaction. */
export function makeContext<A extends Actor>(origin: Origin, actor: A, locale: Locale): Context<A> {
  return { ...origin, actor, locale, ...outside() };
}

/** A call, as far as limits need to know it. */
export interface Call {
  operation: AnyOperation;
  actor: Actor;
  ip: string;
  /** State of the counter, once the call is counted. */
  standing?: Standing;
}

/** Returns the operation's own counter, or the one shared by all operations without a limit of their own. */
function counterOf({ operation, actor, ip }: Call, own: Limit | undefined): [Counter, string] {
  const limit = own ?? DEFAULT_LIMIT;
  const key = limit.by === "account" && actor.kind === "user" ? `u${actor.id}` : addressBucket(ip);
  return [{ name: own ? `op:${operation.id}` : "op", ...limit }, key];
}

/** Counts the call against the operation's limit. Throws `too_many_requests` beyond it. */
export async function countCall(call: Call): Promise<void> {
  call.standing = await consume(...counterOf(call, call.operation.limit));
  const { allowed, retryAfter } = call.standing;
  if (!allowed) throw refuse("too_many_requests", { retryAfter });
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
  const failure = toAppError(thrown);
  // Counters that cannot be reached must not hide the original error.
  return call ? settle(call, failure).catch(() => failure) : failure;
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

/**
 * Refuses a token that lacks the operation's ability, whatever its owner may do, and a site's key where none is
 * accepted.
 */
export function checkAbility(operation: AnyOperation, actor: Actor): void {
  if (actor.kind !== "user") return;
  if (actor.token.kind === "external_key") {
    if (!operation.siteKey) throw refuse("forbidden");
    return;
  }
  const { abilities } = actor.token;
  if (abilities.includes("*")) return;
  const needed = operation.ability === undefined ? "read" : operation.ability;
  if (needed && !abilities.includes(needed)) throw refuse("forbidden");
}

export interface RawInput {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  file?: Upload;
}

/** Parses the parts, runs the service function and checks its output. Returns a value or JSON text. */
export async function perform(handler: Handler, ctx: Context, raw: RawInput): Promise<unknown> {
  const { operation } = handler;
  const params = parseParams(operation, raw.params);
  const input = {
    params,
    query: parse(operation.query, raw.query),
    body: parse(operation.body, raw.body),
    file: raw.file,
  };
  return checkOutput(operation, await handler.run(ctx, input));
}

function parseParams(operation: AnyOperation, raw: Record<string, string>): unknown {
  if (!operation.params) return {};
  const parsed = operation.params.safeParse(raw);
  if (parsed.success) return parsed.data;
  const id = String(Object.values(raw)[0] ?? "").slice(0, 100);
  throw refuse("record_not_found", { params: { model: operation.record ?? "Record", id } });
}

function parse(schema: z.ZodObject | undefined, raw: unknown): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  throw new AppError("validation", {}, { issues: fieldIssues(parsed.error, raw) });
}

/**
 * Keeps a response within its contract: unknown keys are dropped in production and are an error elsewhere. JSON text
 * from PostgreSQL is trusted in production and checked elsewhere.
 */
function checkOutput(operation: AnyOperation, output: unknown): unknown {
  if (output instanceof FileOutput && operation.file) return output;
  const strict = env().STRICT_OUTPUT;
  const raw = output instanceof RawJson;
  if (raw && !strict) return output;
  const value = raw ? JSON.parse(output.text) : output;
  const parsed = operation.output.safeParse(value);
  if (!parsed.success)
    throw new Error(`Output of ${operation.id} breaks its contract: ${parsed.error.message}`);
  if (strict && !sameJson(parsed.data, value))
    throw new Error(`Output of ${operation.id} has keys its contract does not name`);
  return raw ? output : parsed.data;
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  const keys = definedKeys(a);
  return (
    keys.length === definedKeys(b).length && keys.every((key) => sameJson(a[key as never], b[key as never]))
  );
}

function definedKeys(value: object): string[] {
  return Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [key]));
}
