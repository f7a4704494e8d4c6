import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import {
  type AnyOperation,
  DEFAULT_LIMIT,
  type Handler,
  type Limit,
  operation,
  RawJson,
  type UploadRule,
} from "@/server/core/contract";
import { env } from "@/server/core/env";
import { type ErrorCode, errorBody, errorSpec, isGeneral } from "@/server/core/errors";
import { pointsOf } from "@/server/infrastructure/rate-limit/limiter";
import { type Json, jsonSchema } from "./json-schema";

export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/api/openapi.json",
  tag: "Operation",
  summary: "This description, as OpenAPI 3.1",
  access: "public",
  cacheControl: "public, max-age=300",
  status: 200,
  output: z.record(z.string(), z.unknown()).meta({ example: { openapi: "3.1.0" } }),
});

/** What operations share: schemas by their `id`, responses by their error codes. */
interface Components {
  schemas: Record<string, Json>;
  responses: Record<string, Json>;
}

let document: RawJson | undefined;

/** Returns the OpenAPI document of these operations, made once. */
export function documentOf(handlers: Handler[]): RawJson {
  document ??= new RawJson(JSON.stringify(openApi(handlers.map((handler) => handler.operation))));
  return document;
}

/** Describes operations as OpenAPI 3.1, with every status an operation can return and its body. */
export function openApi(operations: AnyOperation[]): Json {
  const all = [...operations, getOpenApi];
  const shared: Components = { schemas: {}, responses: {} };
  const paths: Record<string, Json> = {};
  for (const described of all) {
    paths[described.path] = {
      ...paths[described.path],
      [described.method.toLowerCase()]: describeOperation(described, shared),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${env().APP_NAME} API`,
      version: "1.0.0",
      description: "Accounts, sign-in, profile, sites and billing of a multi-channel messaging platform.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: env().APP_URL }],
    tags: [...new Set(all.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      ...shared,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A user token, `dsu_…`" },
        siteKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "A site's external key, `dse_…`",
        },
      },
    },
  };
}

function describeOperation(described: AnyOperation, shared: Components): Json {
  const limit: Limit = described.limit ?? DEFAULT_LIMIT;
  return {
    operationId: described.id,
    tags: [described.tag],
    summary: described.summary,
    description: [described.description, `Limit: ${pointsOf(limit)} requests in ${limit.per} seconds.`]
      .filter(Boolean)
      .join("\n\n"),
    security:
      described.access === "token" ? [{ bearer: [] }, ...(described.siteKey ? [{ siteKey: [] }] : [])] : [],
    parameters: [
      ...parameters("path", described.params, shared),
      ...parameters("query", described.query, shared),
      ...(described.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(described.body && {
      requestBody: {
        required: hasRequired(described.body),
        content: { "application/json": { schema: schema(described.body, "input", shared) } },
      },
    }),
    ...(described.upload && { requestBody: { required: true, content: form(described.upload) } }),
    responses: responses(described, shared),
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes the call repeatable for 24 hours: the same key with the same input gets the first response again, with " +
    "`Idempotent-Replay: true` and without a further effect. Refused calls are not kept.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

function form({ field, maxBytes, types }: UploadRule): Json {
  const file = {
    type: "string",
    format: "binary",
    description: `At most ${maxBytes} bytes: ${types.join(", ")}`,
  };
  return {
    "multipart/form-data": {
      schema: {
        type: "object",
        required: [field],
        properties: { [field]: file },
        additionalProperties: false,
      },
    },
  };
}

function hasRequired(body: z.ZodObject): boolean {
  return !body.safeParse({}).success;
}

function parameters(place: "path" | "query", part: z.ZodObject | undefined, shared: Components): Json[] {
  if (!part) return [];
  const { properties = {}, required = [] } = schema(part, "input", shared) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: value,
  }));
}

/** A schema whose named parts stand under `components`. */
function schema(part: z.ZodType, io: "input" | "output", { schemas }: Components): Json {
  const text = JSON.stringify(jsonSchema(part, io)).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, ...json } = JSON.parse(text);
  for (const [name, definition] of Object.entries<Json>($defs)) {
    schemas[name] ??= definition;
    if (!isDeepStrictEqual(schemas[name], definition)) throw new Error(`two schemas have the id ${name}`);
  }
  return json;
}

/** Returns the errors an operation can return besides the ones it names. */
export function errorsOf(described: AnyOperation): ErrorCode[] {
  const tooMany = described.wayIn ? "way_in_throttled" : "too_many_requests";
  const codes: ErrorCode[] = [
    tooMany,
    "server_error",
    "busy",
    "storage_full",
    "storage_away",
    ...(described.errors ?? []),
  ];
  if (described.access === "token") codes.push("unauthenticated", "forbidden", "account_passive");
  if (described.access === "token" && !described.withoutFactor) codes.push("second_factor_required");
  if (described.siteKey) codes.push("widget_key_refused");
  if (described.params?.shape.id) codes.push("record_not_found");
  if (described.body)
    codes.push("malformed_json", "body_timeout", "body_too_large", "media_type_unsupported", "validation");
  if (described.upload)
    codes.push("malformed_request", "body_timeout", "body_too_large", "media_type_unsupported", "validation");
  if (described.query) codes.push("validation");
  if (described.idempotent) codes.push("idempotency_in_progress", "idempotency_key_reused", "validation");
  return [...new Set(codes)];
}

function responses(described: AnyOperation, shared: Components): Json {
  const outputs: Record<string, Json> = {
    [described.status]: {
      description: "Success",
      content: described.file
        ? { [described.file]: { schema: { type: "string", format: "binary" } } }
        : { "application/json": { schema: schema(described.output, "output", shared) } },
    },
  };
  if (described.cacheControl) outputs[304] = { description: "The client has it already" };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(described)) {
    const { status } = errorSpec(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of byStatus) outputs[status] = failure(codes, shared);
  return outputs;
}

/** The response of these codes; those that any operation can answer are described once. */
function failure(codes: ErrorCode[], shared: Components): Json {
  const refs = new Set(codes.map((code) => schema(errorBody(code), "output", shared).$ref));
  const bodies = [...refs].map(($ref) => ({ $ref }));
  const response = {
    description: codes.join(", "),
    content: { "application/json": { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } } },
  };
  if (!codes.every(isGeneral)) return response;
  const name = codes.map(capitalised).join("Or");
  shared.responses[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

/** `body_too_large` as `BodyTooLarge`. */
function capitalised(code: ErrorCode): string {
  return code.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
