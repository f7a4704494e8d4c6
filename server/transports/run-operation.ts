import type * as z from "zod";
import type { Context } from "@/server/core/context";
import { type AnyOperation, FileOutput, type Handler, RawJson, type Upload } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, createNotFoundError } from "@/server/core/errors";
import { toFieldIssues } from "@/server/core/issues";
import { maskContacts } from "@/server/core/mask";
import { buildIdempotentCall } from "@/server/domains/accounts/idempotency/service";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { trackOperation } from "@/server/infrastructure/stall-watch";
import type { Call } from "./admission";

export interface RawInput {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  file?: Upload;
}

export function runOperation(handler: Handler, call: Call, raw: RawInput): Promise<unknown> {
  const { operation } = handler;
  return trackOperation(operation.id, async () => {
    if (call.bundledOutput)
      return maskOutput(call, validateOutput(operation, new RawJson(call.bundledOutput)));
    const input = parseInput(operation, raw);
    const ctx = createContext(call, input);
    const output = await handler.run(ctx, input);
    call.isReplayed = ctx.idempotentCall?.isReplay;
    return maskOutput(call, validateOutput(operation, output));
  });
}

type ParsedInput = Parameters<Handler["run"]>[1];

function parseInput(operation: AnyOperation, raw: RawInput): ParsedInput {
  return {
    params: parseParams(operation, raw.params),
    query: parseFields(operation.query, raw.query, operation.labels),
    body: parseFields(operation.body, raw.body, operation.labels),
    file: raw.file,
  };
}

function createContext(
  { operation, idempotencyKey, origin, actor, locale }: Call,
  input: ParsedInput,
): Context {
  const isIdempotent = operation.idempotent && idempotencyKey != null;
  return {
    ...origin,
    actor,
    locale,
    ...(isIdempotent && { idempotentCall: buildIdempotentCall(operation, idempotencyKey, input) }),
    ...withoutTransaction(),
  };
}

function parseParams(operation: AnyOperation, raw: Record<string, string>): unknown {
  if (!operation.params) return {};
  const parsed = operation.params.safeParse(raw);
  if (parsed.success) return parsed.data;
  const id = String(Object.values(raw)[0] ?? "").slice(0, 100);
  throw createNotFoundError(operation.record ?? "Record", id);
}

function parseFields(schema: z.ZodObject | undefined, raw: unknown, labels: AnyOperation["labels"]): unknown {
  if (!schema) return {};
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  throw new AppError("validation", {}, { issues: toFieldIssues(parsed.error, raw, labels) });
}

/** Drops unknown keys. With STRICT_OUTPUT they throw, and JSON text from PostgreSQL is checked too. */
function validateOutput(operation: AnyOperation, output: unknown): unknown {
  if (output instanceof FileOutput && operation.file) return output;
  const isStrict = env().STRICT_OUTPUT;
  const isRawJson = output instanceof RawJson;
  if (isRawJson && !isStrict) return output;
  const value = isRawJson ? JSON.parse(output.text) : output;
  const parsed = operation.output.safeParse(value);
  if (!parsed.success)
    throw new Error(`Output of ${operation.id} breaks its contract: ${parsed.error.message}`);
  if (isStrict && !isSameJson(parsed.data, value))
    throw new Error(`Output of ${operation.id} has keys its contract does not name`);
  return isRawJson ? output : parsed.data;
}

function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSameJson(item, right[index]))
    );
  const keys = getDefinedKeys(left);
  return (
    keys.length === getDefinedKeys(right).length &&
    keys.every((key) => isSameJson(left[key as never], right[key as never]))
  );
}

function getDefinedKeys(value: object): string[] {
  return Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [key]));
}

function maskOutput({ actor }: Call, output: unknown): unknown {
  const impersonation = actor.kind === "user" ? actor.impersonation : undefined;
  if (!impersonation || output instanceof FileOutput) return output;
  return maskContacts(
    output instanceof RawJson ? JSON.parse(output.text) : output,
    impersonation.visibleContacts,
  );
}
