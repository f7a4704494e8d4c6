import "server-only";
import type { Locale } from "next-intl";
import { getLocale } from "next-intl/server";
import type * as z from "zod";
import { type AnyOperation, DEFAULT_LIMIT, type Limit } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { type ErrorCode, errorBody, errorSpec } from "@/server/core/errors";
import { rawText } from "@/server/core/texts";
import { SUBSCRIBABLE, WEBHOOK_EVENTS, webhookBody } from "@/server/domains/accounts/webhooks/contract";
import { pointsOf } from "@/server/infrastructure/rate-limit/limiter";
import { errorCodesOf } from "@/server/transports/rest/openapi/generated-files";
import {
  inlineRefs,
  type JsonSchema,
  jsonSchema,
  sampleOf,
} from "@/server/transports/rest/openapi/json-schema";
import { handlers } from "@/server/transports/rest/operations";
import type { SampleCall } from "./samples";
import { fieldsOf } from "./schema-text";
import type { DocError, DocOperation, DocReference } from "./types";

type Say = (code: ErrorCode) => string;

/** Errors that nearly every operation can return, documented once. */
const GENERAL: ErrorCode[] = [
  "malformed_json",
  "unauthenticated",
  "forbidden",
  "account_passive",
  "second_factor_required",
  "validation",
  "too_many_requests",
  "server_error",
  "busy",
  "storage_full",
];

const cache = new Map<Locale, DocReference>();

/**
 * Returns the reference in the reader's language, generated from the contracts and cached for the process.
 */
export async function reference(): Promise<DocReference> {
  const locale = await getLocale();
  const cached = cache.get(locale) ?? (await build());
  cache.set(locale, cached);
  return cached;
}

async function build(): Promise<DocReference> {
  const locale = await getLocale();
  // Replaces placeholders by "…", because their values differ from call to call.
  const say: Say = (code) =>
    rawText(locale, `errors.${code}`)?.replace(/\{\w[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "…") ?? code;
  return {
    baseUrl: env().APP_URL,
    operations: described().map((operation) => documentOperation(operation, say)),
    errors: GENERAL.map((code) => error(code, say)),
    events: SUBSCRIBABLE.map((type) => ({
      type,
      summary: WEBHOOK_EVENTS[type].summary,
      body: print(sampleOf(json(webhookBody(type), "output"))),
    })),
  };
}

export function described(): AnyOperation[] {
  return handlers()
    .map(({ operation }) => operation)
    .filter(({ path }) => !path.startsWith("/api/dev/"));
}

function documentOperation(operation: AnyOperation, say: Say): DocOperation {
  const result = json(operation.output, "output");
  const limit: Limit = operation.limit ?? DEFAULT_LIMIT;
  const specificErrors = errorCodesOf(operation).filter(
    (code) => operation.errors?.includes(code) || code === "record_not_found" || code === "way_in_throttled",
  );
  return {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    tag: operation.tag,
    summary: operation.summary,
    description: operation.description ?? null,
    access: operation.access,
    limit: { points: pointsOf(limit), per: limit.per, by: limit.by },
    params: operation.params ? fieldsOf(json(operation.params, "input")) : [],
    query: operation.query ? fieldsOf(json(operation.query, "input")) : [],
    body: operation.body ? fieldsOf(json(operation.body, "input")) : [],
    result: operation.file
      ? { status: operation.status, fields: [], example: operation.file }
      : { status: operation.status, fields: fieldsOf(result), example: print(sampleOf(result)) },
    errors: specificErrors.map((code) => error(code, say)),
    call: callOf(operation),
    siteKey: operation.siteKey === true,
    idempotent: operation.idempotent === true,
  };
}

/** Returns the JSON schema of a part of a contract with references inlined. */
export function json(part: z.ZodType, io: "input" | "output"): JsonSchema {
  return inlineRefs(jsonSchema(part, io));
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function error(code: ErrorCode, say: Say): DocError {
  const sample = { ...(sampleOf(json(errorBody(code), "output")) as Record<string, unknown>) };
  const spec = errorSpec(code);
  const text = (spec.technical ?? say(code))
    .replace("{model}", "Site")
    .replace("{id}", "99")
    .replace("{type}", "application/json");
  for (const key of ["message", "error"]) if (key in sample) sample[key] = text;
  if ("errors" in sample) sample.errors = { domain: [text] };
  return { status: spec.status, code, text: say(code), body: print(sample) };
}

function callOf({ method, path, access, params, body, upload, file }: AnyOperation): SampleCall {
  const sampleParams = params ? (sampleOf(json(params, "input")) as Record<string, string>) : {};
  return {
    method,
    url: `${env().APP_URL}${path.replace(/\{(\w+)\}/g, (_, name: string) => sampleParams[name]!)}`,
    token: access === "token",
    ...(body && { body: sampleOf(json(body, "input"), { terse: true }) }),
    ...(upload && { upload: upload.field }),
    ...(file && { file: true }),
  };
}
