import "server-only";
import type { Locale } from "next-intl";
import { getLocale } from "next-intl/server";
import type * as z from "zod";
import { type AnyOperation, DEFAULT_LIMIT, type Limit } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { buildErrorBodySchema, type ErrorCode, getErrorSpec } from "@/server/core/errors";
import { findRawText } from "@/server/core/texts";
import {
  buildWebhookBodySchema,
  SUBSCRIBABLE_EVENTS,
  WEBHOOK_EVENTS,
} from "@/server/domains/accounts/webhooks/contract";
import { getAllowedPoints } from "@/server/infrastructure/rate-limit/limiter";
import { listErrorCodes } from "@/server/transports/rest/openapi/generated-files";
import {
  buildSample,
  inlineRefs,
  type JsonSchema,
  toJsonSchema,
} from "@/server/transports/rest/openapi/json-schema";
import { getHandlers } from "@/server/transports/rest/operations";
import type { SampleCall } from "./samples";
import { listFields } from "./schema-text";
import type { DocError, DocOperation, DocReference } from "./types";

type GetErrorText = (code: ErrorCode) => string;

/** Errors that nearly every operation can return, documented once. */
const GENERAL_ERRORS: ErrorCode[] = [
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

const referenceByLocale = new Map<Locale, DocReference>();

/** Returns the reference in the reader's language, generated from the contracts. Cached for the process. */
export async function getReference(): Promise<DocReference> {
  const locale = await getLocale();
  const cached = referenceByLocale.get(locale) ?? (await buildReference());
  referenceByLocale.set(locale, cached);
  return cached;
}

async function buildReference(): Promise<DocReference> {
  const locale = await getLocale();
  // Placeholders become "…", because their values differ from call to call.
  const getErrorText: GetErrorText = (code) =>
    findRawText(locale, `errors.${code}`)?.replace(/\{\w[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "…") ?? code;
  return {
    baseUrl: env().APP_URL,
    operations: getDocumentedOperations().map((operation) => documentOperation(operation, getErrorText)),
    errors: GENERAL_ERRORS.map((code) => buildError(code, getErrorText)),
    events: SUBSCRIBABLE_EVENTS.map((type) => ({
      type,
      summary: WEBHOOK_EVENTS[type].summary,
      body: printJson(buildSample(toInlineSchema(buildWebhookBodySchema(type), "output"))),
    })),
  };
}

export function getDocumentedOperations(): AnyOperation[] {
  return getHandlers()
    .map(({ operation }) => operation)
    .filter(({ path }) => !path.startsWith("/api/dev/"));
}

function documentOperation(operation: AnyOperation, getErrorText: GetErrorText): DocOperation {
  const result = toInlineSchema(operation.output, "output");
  const limit: Limit = operation.limit ?? DEFAULT_LIMIT;
  const specificErrors = listErrorCodes(operation).filter(
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
    role: findRequiredRole(operation),
    limit: { points: getAllowedPoints(limit), perSeconds: limit.per, by: limit.by },
    params: operation.params ? listFields(toInlineSchema(operation.params, "input")) : [],
    query: operation.query ? listFields(toInlineSchema(operation.query, "input")) : [],
    body: operation.body ? listFields(toInlineSchema(operation.body, "input")) : [],
    result: operation.file
      ? { status: operation.status, fields: [], example: operation.file }
      : { status: operation.status, fields: listFields(result), example: printJson(buildSample(result)) },
    errors: specificErrors.map((code) => buildError(code, getErrorText)),
    call: buildSampleCall(operation),
    acceptsSiteKey: operation.acceptsSiteKey === true,
    idempotent: operation.idempotent === true,
  };
}

function findRequiredRole({ path, ability }: AnyOperation): DocOperation["role"] {
  if (ability === "admin:*" || /^\/api\/(admin\/|setup$)/.test(path)) return "admin";
  return ability === "reseller:read" || path.startsWith("/api/reseller/") ? "reseller" : null;
}

export function toInlineSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return inlineRefs(toJsonSchema(schema, io));
}

function printJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function buildError(code: ErrorCode, getErrorText: GetErrorText): DocError {
  const sampleBody = {
    ...(buildSample(toInlineSchema(buildErrorBodySchema(code), "output")) as Record<string, unknown>),
  };
  const errorSpec = getErrorSpec(code);
  const text = (errorSpec.fixedText ?? getErrorText(code))
    .replace("{model}", "Site")
    .replace("{id}", "99")
    .replace("{type}", "application/json");
  for (const key of ["message", "error"]) if (key in sampleBody) sampleBody[key] = text;
  if ("errors" in sampleBody) sampleBody.errors = { domain: [text] };
  return { status: errorSpec.status, code, text: getErrorText(code), body: printJson(sampleBody) };
}

function buildSampleCall({ method, path, access, params, body, upload, file }: AnyOperation): SampleCall {
  const sampleParams = params ? (buildSample(toInlineSchema(params, "input")) as Record<string, string>) : {};
  return {
    method,
    url: `${env().APP_URL}${path.replace(/\{(\w+)\}/g, (_, name: string) => sampleParams[name]!)}`,
    sendsToken: access === "token",
    ...(body && { body: buildSample(toInlineSchema(body, "input"), { terse: true }) }),
    ...(upload && { upload: upload.field }),
    ...(file && { file: true }),
  };
}
