import { STATUS_CODES } from "node:http";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { ABILITIES, type AnyOperation, DEFAULT_LIMIT, type Limit } from "@/server/core/contract";
import { AppError, buildErrorBodySchema, type ErrorCode, getErrorSpec } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { PASSKEYS_MAX } from "@/server/domains/access/passkeys/contract";
import { MAX_VIEWS_PER_LIST } from "@/server/domains/accounts/preferences/policy";
import {
  buildWebhookBodySchema,
  WEBHOOK_EVENTS,
  type WebhookEventType,
} from "@/server/domains/accounts/webhooks/contract";
import { MAX_WEBHOOKS } from "@/server/domains/accounts/webhooks/policy";
import { OPEN_ORDERS_MAX } from "@/server/domains/billing/subscriptions/policy";
import { SNIPPETS_MAX } from "@/server/domains/sites/snippets/policy";
import { NOTES_PER_CUSTOMER_MAX } from "@/server/domains/tenancy/customers/policy";
import { renderError } from "../../render-error";
import { listErrorCodes, PLACEHOLDERS } from "./generated-files";
import { buildSample, inlineRefs, type Json, toJsonSchema } from "./json-schema";
import { TAGS } from "./tags";

/** Shared error responses. An operation refers to one if its error codes of that status are exactly these, in this order. */
const SHARED_ERRORS: Record<string, ErrorCode[]> = {
  BadRequest: ["malformed_json"],
  Unauthorised: ["unauthenticated"],
  Forbidden: ["forbidden", "account_passive", "second_factor_required"],
  NotFound: ["record_not_found"],
  RequestTimeout: ["body_timeout"],
  ContentTooLarge: ["body_too_large"],
  UnsupportedMediaType: ["media_type_unsupported"],
  ValidationFailed: ["validation"],
  TooManyRequests: ["too_many_requests"],
  ServerError: ["server_error"],
  Unavailable: ["busy", "storage_full", "storage_away"],
};

const EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[];

export function createOpenApiDocument(operations: AnyOperation[], events = EVENT_TYPES): OpenApiDocument {
  const schemas: Record<string, Json> = {};
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, schemas) };
  }
  const sharedErrors = Object.entries(SHARED_ERRORS).map(([name, codes]) => [
    name,
    describeErrorResponse(codes, schemas),
  ]);
  const webhooks = events.map((type) => [type, { post: describeEvent(type, schemas) }]);
  return removeUnusedComponents({
    openapi: "3.1.0",
    info: {
      title: `${PLACEHOLDERS.APP_NAME} API`,
      version: "1.0.0",
      description:
        "Accounts, sign-in, profile, sites and billing of a multi-channel messaging platform. Responses may gain fields " +
        "at any time: ignore unknown fields. Errors have their code in the header `X-Error-Code`. " +
        "Every response has `X-Request-Id`, `X-RateLimit-Limit` and `X-RateLimit-Remaining`. `x-limit` is the rate limit: " +
        "`requests` per `seconds`, counted by account (`by: account`; without a token by IP address) or by IP address (`by: ip`). " +
        "Some operations need a recent proof of identity: `confirmIdentity`, a passkey or a new sign-in " +
        "within the last ten minutes (eight hours for payments), by the same token or session. Without a " +
        "recent proof, the response is 403 `identity_unproven`, and its `methods` are the accepted proofs. The ID of " +
        "another account's record gets 403, an unknown ID gets 404. All operations with a limit of 600 per " +
        "60 seconds share one counter; any other limit has its own. " +
        "Most of these count input errors (`validation`, `malformed_json`, `media_type_unsupported`) " +
        "against the shared counter, not against their own.",
      contact: { name: PLACEHOLDERS.APP_NAME, url: PLACEHOLDERS.APP_URL },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: PLACEHOLDERS.APP_URL }],
    externalDocs: { description: "Guides and examples", url: `${PLACEHOLDERS.APP_URL}/docs` },
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    webhooks: Object.fromEntries(webhooks),
    components: {
      schemas: { ...schemas, ErrorCode: describeErrorCodes(operations) },
      parameters: SHARED_PARAMETERS,
      responses: Object.fromEntries(sharedErrors),
      headers: RESPONSE_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  });
}

export function selectPaths(
  document: OpenApiDocument,
  isWanted: (path: string) => boolean,
  note: string,
): OpenApiDocument {
  const { info } = document;
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isWanted(path)));
  const content = JSON.stringify(paths);
  return removeUnusedComponents({
    ...document,
    info: { ...info, description: `${info.description} ${note}`.trim() },
    tags: document.tags.filter(({ name }) => content.includes(`"tags":["${name}"]`)),
    paths,
  });
}

function removeUnusedComponents(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  const isUsed = (kind: string, name: string) =>
    text.includes(kind === "securitySchemes" ? `"${name}":[]` : `"#/components/${kind}/${name}"`);
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, parts]) => [
      kind,
      Object.fromEntries(Object.entries(parts).filter(([name]) => isUsed(kind, name))),
    ]),
  );
  const prunedDocument = { ...document, components };
  // Removing a component can leave others unused.
  return JSON.stringify(prunedDocument) === text ? document : removeUnusedComponents(prunedDocument);
}

export interface OpenApiDocument extends Json {
  info: { description: string } & Json;
  tags: Array<{ name: string }>;
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
}

/** Serializes a document without `additionalProperties: false`: responses may gain fields. */
export function serializeDocument(document: Json, indent?: number): string {
  return JSON.stringify(
    document,
    (key, value) => (key === "additionalProperties" && value === false ? undefined : value),
    indent,
  );
}

/** Not an enum: later versions may add codes. */
function describeErrorCodes(operations: AnyOperation[]): Json {
  const codes = new Set<ErrorCode>([
    "route_not_found",
    "method_not_allowed",
    ...operations.flatMap(listErrorCodes),
  ]);
  const sortedCodes = [...codes].sort();
  const meanings = sortedCodes.map((code) => {
    const meaning =
      getErrorSpec(code).integratorDescription ??
      formatText("en", `errors.${code}`, { ...getSampleParams(code), ...buildSampleFields(code) });
    return `- \`${code}\`: ${meaning}`;
  });
  return {
    type: "string",
    description: `Reason why the request failed.\n\n${meanings.join("\n")}`,
    examples: sortedCodes,
  };
}

function describeOperation(operation: AnyOperation, schemas: Record<string, Json>): Json {
  const { id, tag, summary, access, ability = "read", params, query, body, upload } = operation;
  const limit: Limit = operation.limit ?? DEFAULT_LIMIT;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: operation.description ?? `${summary}.`,
    security:
      access === "token" ? [{ bearer: [] }, ...(operation.acceptsSiteKey ? [{ siteKey: [] }] : [])] : [],
    ...(access === "token" && ability && { "x-ability": ability }),
    "x-limit": { requests: limit.points, seconds: limit.per, by: limit.by },
    ...(operation.idempotent && { "x-idempotent": true }),
    parameters: [
      ...describeParameters("path", params, schemas).map((parameter) =>
        describeRecordId(parameter, operation),
      ),
      ...describeParameters("query", query, schemas),
      ...(operation.idempotent ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: buildJsonContent(body, "input", schemas),
      },
    }),
    ...(upload && {
      requestBody: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              required: [upload.field],
              properties: {
                [upload.field]: {
                  type: "string",
                  format: "binary",
                  description: `File of at most ${upload.maxBytes} bytes. Types: ${upload.types.join(", ")}.`,
                },
              },
            },
          },
        },
      },
    }),
    responses: describeResponses(operation, schemas),
  };
}

function describeParameters(
  location: "path" | "query",
  objectSchema: z.ZodObject | undefined,
  schemas: Record<string, Json>,
): Json[] {
  return Object.entries<z.ZodType>(objectSchema?.shape ?? {}).map(([name, field]) => {
    const { description, deprecated, ...schema } = removeNull(toSchema(field, "input", schemas));
    const required = location === "path" || !field.safeParse(undefined).success;
    return { name, in: location, required, description, deprecated, schema };
  });
}

/** Adds the name of the record to the description: most contracts share one `pathId` schema. */
function describeRecordId(parameter: Json, { record }: AnyOperation): Json {
  if (parameter.name !== "id" || !record) return parameter;
  return { ...parameter, description: `ID of the ${record.replace(/\B[A-Z]/g, " $&").toLowerCase()}.` };
}

/** Drops null, which a URL cannot express. */
function removeNull({ type, enum: values, ...json }: Json): Json {
  const types = [type].flat().filter((each) => each !== "null");
  const choices = (values as unknown[] | undefined)?.filter((each) => each !== null);
  return {
    ...(type !== undefined && { type: types.length > 1 ? types : types[0] }),
    ...(choices && { enum: choices }),
    ...json,
  };
}

function buildJsonContent(schema: z.ZodType, io: "input" | "output", schemas: Record<string, Json>): Json {
  const example = buildSample(inlineRefs(toJsonSchema(schema, io)), { terse: io === "input" });
  return { "application/json": { schema: toSchema(schema, io, schemas), example } };
}

function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Record<string, Json>): Json {
  const text = JSON.stringify(toJsonSchema(schema, io)).replaceAll('"#/$defs/', '"#/components/schemas/');
  const {
    $schema: _,
    $defs = {},
    ...json
  } = JSON.parse(text, simplifyNullable) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs)) {
    schemas[name] ??= definition;
    if (!isDeepStrictEqual(schemas[name], definition)) throw new Error(`two schemas have the id ${name}`);
  }
  return json;
}

const PRIMITIVE_TYPES = new Set(["string", "integer", "number", "boolean"]);

/** Turns `anyOf: [X, null]` into `type: [X, "null"]`, so that the field keeps its own description. */
function simplifyNullable(_: string, json: Json): unknown {
  if (!Array.isArray(json?.anyOf) || json.anyOf.length !== 2 || json.anyOf[1].type !== "null") return json;
  const [inner] = json.anyOf;
  if (!PRIMITIVE_TYPES.has(inner.type))
    return inner.description ? { description: inner.description, ...json } : json;
  const { anyOf: _anyOf, ...annotations } = json;
  const values = inner.const === undefined ? inner.enum : [inner.const];
  const { const: _const, ...rest } = inner;
  return { ...rest, ...annotations, type: [inner.type, "null"], ...(values && { enum: [...values, null] }) };
}

function describeResponses(operation: AnyOperation, schemas: Record<string, Json>): Json {
  const { file, output, cacheControl, idempotent } = operation;
  const headers = referenceHeaders({
    ...COMMON_HEADERS,
    ETag: cacheControl,
    "Idempotent-Replay": idempotent,
  });
  const responsesByStatus: Record<string, Json> = {
    [operation.status]: {
      description: file ? "The file." : describeContent(operation),
      headers,
      content: file
        ? { [file]: { schema: { type: "string", format: "binary" } } }
        : buildJsonContent(output, "output", schemas),
    },
  };
  if (cacheControl) responsesByStatus[304] = { description: "The cached response is still current." };
  const errors = listErrorCodes(operation);
  for (const status of new Set(errors.map((code) => getErrorSpec(code).status))) {
    const codes = errors.filter((code) => getErrorSpec(code).status === status);
    const [sharedName] =
      Object.entries(SHARED_ERRORS).find(([, sharedCodes]) => isDeepStrictEqual(sharedCodes, codes)) ?? [];
    responsesByStatus[status] = sharedName
      ? { $ref: `#/components/responses/${sharedName}` }
      : describeErrorResponse(codes, schemas);
  }
  return responsesByStatus;
}

function describeContent({ output, summary }: AnyOperation): string {
  const shape: Record<string, z.ZodType> = output instanceof z.ZodObject ? output.shape : {};
  const content = Object.entries(shape).flatMap(([name, field]) => {
    const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
    const isContent = inner instanceof z.ZodObject || inner instanceof z.ZodArray;
    return isContent && !["data", "meta"].includes(name) ? [field] : [];
  });
  return output.description ?? ((content.length === 1 && content[0]?.description) || `${summary}.`);
}

function describeErrorResponse(codes: ErrorCode[], schemas: Record<string, Json>): Json {
  const { status } = getErrorSpec(codes[0]!);
  const bodies = codes.map((code) => toSchema(buildErrorBodySchema(code), "output", schemas));
  const choices = bodies.filter(
    (body, index) => bodies.findIndex((other) => other.$ref === body.$ref) === index,
  );
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: referenceHeaders({
      ...COMMON_HEADERS,
      "X-Error-Code": true,
      "X-RateLimit-Reset": status === 429,
      "Retry-After": status === 429 || status === 503,
    }),
    content: {
      "application/json": {
        schema: choices.length === 1 ? choices[0] : { anyOf: choices },
        examples: Object.fromEntries(codes.map((code) => [code, { value: buildErrorSample(code) }])),
      },
    },
  };
}

const SAMPLE_PARAMS = {
  ...{
    id: 7,
    model: "Site",
    path: "api/sites/7",
    method: "PATCH",
    allow: "GET, PUT",
    type: "application/json",
  },
  ...{
    limit: 1_048_576,
    minutes: 1,
    max: 50,
    brand: "Kaya",
    open: "100.00 TRY",
    locale: "xx",
    domain: "example.com",
  },
};

/** Limits in the samples of `…_full` errors. Other codes get `SAMPLE_PARAMS.max`. */
const MAX_BY_ERROR_CODE: Partial<Record<ErrorCode, number>> = {
  passkeys_full: PASSKEYS_MAX,
  views_full: MAX_VIEWS_PER_LIST,
  webhooks_full: MAX_WEBHOOKS,
  orders_full: OPEN_ORDERS_MAX,
  snippets_full: SNIPPETS_MAX,
  customer_notes_full: NOTES_PER_CUSTOMER_MAX,
};

const getSampleParams = (code: ErrorCode) => ({
  ...SAMPLE_PARAMS,
  max: MAX_BY_ERROR_CODE[code] ?? SAMPLE_PARAMS.max,
});

function buildSampleFields(code: ErrorCode): object {
  const { fields } = getErrorSpec(code);
  return fields ? (buildSample(inlineRefs(toJsonSchema(fields, "output"))) as object) : {};
}

function buildErrorSample(code: ErrorCode): Json {
  const issues = { name: [{ key: "required" }] };
  const error = new AppError(code, buildSampleFields(code) as never, {
    params: getSampleParams(code),
    issues,
  });
  return renderError(error, "en", { usesFixedText: true });
}

function describeEvent(type: WebhookEventType, schemas: Record<string, Json>): Json {
  const { summary } = WEBHOOK_EVENTS[type];
  return {
    operationId: `on.${type}`,
    tags: ["Webhooks"],
    summary,
    description: `${summary}.`,
    security: [],
    parameters: WEBHOOK_HEADERS,
    requestBody: {
      required: true,
      content: buildJsonContent(buildWebhookBodySchema(type), "output", schemas),
    },
    responses: {
      "2XX": {
        description:
          "Received. Any other status, or no response within 15 s, leads to a retry. 410 disables the webhook instead.",
      },
    },
  };
}

const STRING_SCHEMA = { type: "string" };
const COUNT_SCHEMA = { type: "integer", minimum: 0 };

const WEBHOOK_HEADERS: Json[] = [
  ["webhook-id", "ID of the event, the same for all attempts and replays. Use it to drop duplicates."],
  ["webhook-timestamp", "Time of the attempt, in seconds since 1970-01-01 UTC."],
  [
    "webhook-signature",
    "Signatures separated by spaces: `v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`, with the headers " +
      "`webhook-id` and `webhook-timestamp` and the raw body. The key is the part of the secret after `whsec_`, decoded " +
      "from base64.",
  ],
].map(([name, description]) => ({ name, in: "header", required: true, description, schema: STRING_SCHEMA }));

const SHARED_PARAMETERS: Record<string, Json> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes retries safe for 24 hours: the same key with the same input returns the stored response " +
      "with `Idempotent-Replay: true` and has no further effect. Failed requests are not stored. A key is valid for one " +
      "token and operation. The same key with other input gets 422 `idempotency_key_reused`. While the first request is " +
      "running, the same key gets 409 `idempotency_in_progress`.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  },
};

const RESPONSE_HEADERS: Record<string, Json> = {
  "X-Error-Code": {
    description: "Error code for programs. The body contains the message for users.",
    schema: { $ref: "#/components/schemas/ErrorCode" },
  },
  "X-Request-Id": {
    description: "ID of the request, for support.",
    schema: { ...STRING_SCHEMA, format: "uuid" },
  },
  "X-RateLimit-Limit": { description: "Requests allowed per window.", schema: COUNT_SCHEMA },
  "X-RateLimit-Remaining": { description: "Requests remaining in the window.", schema: COUNT_SCHEMA },
  "X-RateLimit-Reset": {
    description: "Time of the next allowed request, in seconds since 1970-01-01 UTC.",
    schema: COUNT_SCHEMA,
  },
  "Retry-After": {
    description: "Seconds to wait before the next request.",
    schema: { ...COUNT_SCHEMA, minimum: 1 },
  },
  "Idempotent-Replay": {
    description:
      "Present when this is the stored response to an earlier request with the same `Idempotency-Key`.",
    schema: { ...STRING_SCHEMA, const: "true" },
  },
  ETag: {
    description: "Version of the response. Send it as `If-None-Match` to receive 304 while it is unchanged.",
    schema: STRING_SCHEMA,
  },
};

const COMMON_HEADERS = { "X-Request-Id": true, "X-RateLimit-Limit": true, "X-RateLimit-Remaining": true };

function referenceHeaders(includedHeaders: Record<string, unknown>): Json {
  const names = Object.keys(includedHeaders).filter((name) => includedHeaders[name]);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const SECURITY_SCHEMES: Record<string, Json> = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      `User token, \`dsu_…\`. \`x-ability\` of an operation is the ability the token needs: ${ABILITIES.map((name) => `\`${name}\``).join(", ")}; ` +
      "`*` includes all of them; no other ability includes another.",
  },
  siteKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description:
      "External key of a site, `dse_…`. Only for operations that list it in `security`; others respond 403.",
  },
};
