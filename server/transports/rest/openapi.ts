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
import { type ErrorCode, errorBody, errorSpec } from "@/server/core/errors";
import { kept } from "@/server/core/kept";
import { pointsOf } from "@/server/infrastructure/rate-limit/limiter";
import type { Json } from "./json-schema";
import { HEADERS, headersOf, SECURITY_SCHEMES, securityOf } from "./openapi-parts";
import { type Audience, published } from "./openapi-published";
import { type Components, schemaOf, withoutNull } from "./openapi-schema";
import { shareAlike } from "./openapi-shared";
import { TAG_WORDS } from "./openapi-tags";
import { describeWebhooks } from "./openapi-webhooks";
import { atOnce, beside, type Pieces } from "./pieces";
import { postmanCollection } from "./postman";
import { keepPacked } from "./response";

const DESCRIPTION = {
  method: "GET",
  tag: "Operation",
  access: "public",
  cacheControl: "public, max-age=300",
  status: 200,
  output: z.record(z.string(), z.unknown()).meta({ example: { openapi: "3.1.0" } }),
} as const;

export const getOpenApi = operation({
  ...DESCRIPTION,
  id: "getOpenApi",
  path: "/api/openapi.json",
  summary: "This description, as OpenAPI 3.1",
});

export const getAdminOpenApi = operation({
  ...DESCRIPTION,
  id: "getAdminOpenApi",
  path: "/api/openapi-admin.json",
  summary: "The description of what only administrators may call, as OpenAPI 3.1",
});

interface Texts extends Record<Audience, RawJson> {
  collection: RawJson;
}
/** Made once, because together they take a second of processor time. */
const texts = kept(() => ({
  made: undefined as Texts | undefined,
  pending: undefined as Promise<Texts> | undefined,
}));

/** Binds one of the texts about all operations, which are made once, to the operation that returns it. */
export function handleText(described: AnyOperation, name: keyof Texts, handlers: () => Handler[]): Handler {
  return {
    operation: described,
    kept: () => texts().made?.[name],
    run: async () => (await textsFor(handlers()))[name],
  };
}

/** Makes all of them before anybody asks. */
export async function prepareDescriptions(handlers: Handler[]): Promise<void> {
  await Promise.all(Object.values(await textsFor(handlers)).map(keepPacked));
}

function textsFor(handlers: Handler[]): Promise<Texts> {
  const state = texts();
  state.pending ??= (async () => {
    state.made = await beside(textsOf(handlers.map(({ operation }) => operation)));
    return state.made;
  })();
  return state.pending;
}

function* textsOf(operations: AnyOperation[]): Pieces<Texts> {
  const document = yield* describeAll(operations);
  const collection = yield* textOf(postmanCollection(document, operations));
  const integrators = yield* textOf(published(document, "integrators"));
  const administrators = yield* textOf(published(document, "administrators"));
  return { integrators, administrators, collection };
}

function* textOf(work: Pieces<Json>): Pieces<RawJson> {
  const made = yield* work;
  yield;
  return new RawJson(JSON.stringify(made));
}

/** Describes operations as OpenAPI 3.1, with every status an operation can return and its body. */
export function openApi(operations: AnyOperation[]): Json {
  return atOnce(describeAll(operations));
}

function* describeAll(operations: AnyOperation[]): Pieces<Json> {
  const shared: Components = { schemas: {}, refusals: new Map() };
  const paths: Record<string, Record<string, Json>> = {};
  for (const described of operations) {
    paths[described.path] = {
      ...paths[described.path],
      [described.method.toLowerCase()]: describeOperation(described, shared),
    };
    yield;
  }
  const alike = yield* shareAlike(paths);
  const webhooks = yield* describeWebhooks(shared);
  const { APP_NAME, APP_URL } = env();
  return {
    openapi: "3.1.0",
    info: {
      title: `${APP_NAME} API`,
      version: "1.0.0",
      description:
        "Accounts, sign-in, profile, sites and billing of a multi-channel messaging platform. Fields are added to responses " +
        "without notice; clients ignore those they do not know. Every refusal names its reason in the header `X-Error-Code`. " +
        "Every response has `X-Request-Id`, `X-RateLimit-Limit` and `X-RateLimit-Remaining`.",
      contact: { name: APP_NAME, url: APP_URL },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: APP_URL }],
    externalDocs: { description: "Guides and examples", url: `${APP_URL}/docs` },
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAG_WORDS[name],
    })),
    paths,
    webhooks,
    components: {
      ...alike,
      schemas: { ...shared.schemas, ErrorCode: ERROR_CODE(operations) },
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** What `X-Error-Code` says; codes of a later version may be new to a client. */
function ERROR_CODE(operations: AnyOperation[]): Json {
  const codes = new Set(["route_not_found", "method_not_allowed", ...operations.flatMap(errorsOf)]);
  return { type: "string", description: "Why a call was refused.", examples: [...codes].sort() };
}

function describeOperation(described: AnyOperation, shared: Components): Json {
  const { id, tag, summary, access, ability = "read", params, query, body, upload } = described;
  const limit: Limit = described.limit ?? DEFAULT_LIMIT;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: described.description ?? `${summary}.`,
    security: securityOf(described),
    ...(access === "token" && ability && { "x-ability": ability }),
    "x-limit": { requests: pointsOf(limit), seconds: limit.per, by: limit.by },
    ...(described.idempotent && { "x-idempotent": true }),
    parameters: [
      ...parameters("path", params, shared, id),
      ...parameters("query", query, shared, id),
      ...(described.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body && {
      requestBody: {
        required: hasRequired(body),
        content: { "application/json": { schema: schemaOf(body, "input", shared, `${id}.body`) } },
      },
    }),
    ...(upload && { requestBody: { required: true, content: form(upload) } }),
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

function parameters(
  place: "path" | "query",
  part: z.ZodObject | undefined,
  shared: Components,
  id: string,
): Json[] {
  if (!part) return [];
  const owner = `${id}.${place === "path" ? "params" : "query"}`;
  const { properties = {}, required = [] } = schemaOf(part, "input", shared, owner) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, deprecated, ...value }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    schema: withoutNull(value),
  }));
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
  const { id, file, output, cacheControl } = described;
  const headers = headersOf(described);
  const outputs: Record<string, Json> = {
    [described.status]: {
      description: file ? "The file" : contentOf(output, described.status === 201 ? "Created" : "Success"),
      ...(Object.keys(headers).length > 0 && { headers }),
      content: file
        ? { [file]: { schema: { type: "string", format: "binary" } } }
        : { "application/json": { schema: schemaOf(output, "output", shared, `${id}.output`) } },
    },
  };
  if (cacheControl) outputs[304] = { description: "The client has it already" };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(described)) {
    const { status } = errorSpec(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of byStatus) outputs[status] = failure(status, codes, shared);
  return outputs;
}

const UNTOLD = new Set(["success", "message", "meta", "auto_login"]);

/** What the body of a success is about: its first field beside those that every success has, of each shape it may have. */
function contentOf(output: z.ZodType, done: string): string {
  const shapes = output instanceof z.ZodUnion ? output.options : [output];
  const names = shapes
    .map((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : []))
    .flatMap((fields) => fields.find((name) => !UNTOLD.has(name)) ?? []);
  return names.length > 0 ? `${done}: ${[...new Set(names)].join(" or ")}` : done;
}

/** Where the body of an error stands: most operations have the same dozen of them. */
function refusalOf(code: ErrorCode, shared: Components): string {
  const known = shared.refusals.get(code) ?? String(schemaOf(errorBody(code), "output", shared).$ref);
  shared.refusals.set(code, known);
  return known;
}

/** The response of these codes. */
function failure(status: number, codes: ErrorCode[], shared: Components): Json {
  const refs = new Set(codes.map((code) => refusalOf(code, shared)));
  const bodies = [...refs].map(($ref) => ({ $ref }));
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: headersOf({ status }),
    content: { "application/json": { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } } },
  };
}
