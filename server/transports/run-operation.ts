import type * as z from "zod";
import type { Context } from "@/server/core/context";
import { type AnyOperation, FileOutput, type Handler, RawJson, type Upload } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, refuse } from "@/server/core/errors";
import { fieldIssues } from "@/server/core/issues";
import { maskContacts } from "@/server/core/mask";
import { repeatable } from "@/server/domains/accounts/idempotency/service";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { trackOperation } from "@/server/infrastructure/stall-watch";
import type { Call } from "./admission";

export interface RawInput {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  file?: Upload;
}

/** Runs an operation: parses the input, calls the service function, checks and masks the output. */
export function runOperation(handler: Handler, call: Call, raw: RawInput): Promise<unknown> {
  const { operation } = handler;
  return trackOperation(operation.id, async () => {
    if (call.output) return maskOutput(call, checkOutput(operation, new RawJson(call.output)));
    const input = parseInput(operation, raw);
    const ctx = contextOf(call, input);
    const output = await handler.run(ctx, input);
    call.replayed = ctx.idempotentCall?.isReplay;
    return maskOutput(call, checkOutput(operation, output));
  });
}

type ParsedInput = Parameters<Handler["run"]>[1];

function parseInput(operation: AnyOperation, raw: RawInput): ParsedInput {
  return {
    params: parseParams(operation, raw.params),
    query: parse(operation.query, raw.query, operation.labels),
    body: parse(operation.body, raw.body, operation.labels),
    file: raw.file,
  };
}

function contextOf({ operation, idempotencyKey, origin, actor, locale }: Call, input: ParsedInput): Context {
  const isRepeatable = operation.idempotent && idempotencyKey != null;
  return {
    ...origin,
    actor,
    locale,
    ...(isRepeatable && { idempotentCall: repeatable(operation, idempotencyKey, input) }),
    ...withoutTransaction(),
  };
}

function parseParams(operation: AnyOperation, raw: Record<string, string>): unknown {
  if (!operation.params) return {};
  const parsed = operation.params.safeParse(raw);
  if (parsed.success) return parsed.data;
  const id = String(Object.values(raw)[0] ?? "").slice(0, 100);
  throw refuse("record_not_found", { params: { model: operation.record ?? "Record", id } });
}

function parse(schema: z.ZodObject | undefined, raw: unknown, labels: AnyOperation["labels"]): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  throw new AppError("validation", {}, { issues: fieldIssues(parsed.error, raw, labels) });
}

/**
 * Enforces the contract on a response: drops unknown keys in production and rejects them elsewhere. JSON text
 * from PostgreSQL is trusted in production.
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

function maskOutput({ actor }: Call, output: unknown): unknown {
  const behalf = actor.kind === "user" ? actor.impersonation : undefined;
  if (!behalf || output instanceof FileOutput) return output;
  return maskContacts(output instanceof RawJson ? JSON.parse(output.text) : output, behalf.visibleContacts);
}
