import type { Readable } from "node:stream";
import type * as z from "zod";
import type { Context, UserActor } from "./context";
import type { ErrorCode } from "./errors";
import type { RawUtf8 } from "./raw-utf8";
import type { SqlText } from "./sql";

export const ABILITIES = [
  "*",
  "read",
  "sites:write",
  "profile:write",
  "media:write",
  "connections:cleanup",
  "reseller:read",
  "admin:*",
] as const;
export type Ability = (typeof ABILITIES)[number];

/** Rate limit of an operation. Calls beyond it get 429 with Retry-After. */
export interface Limit {
  points: number;
  /** Window in seconds. */
  per: number;
  by: "ip" | "account";
  /** Listed in docs/contract.md 8: the same in every mode, and calls with invalid input count. */
  isDocumented?: boolean;
  /** Counted in the database, shared by all processes; otherwise in memory. */
  durable?: boolean;
  /** Limits guessing: durable, and never counted in Redis, which may lose data. */
  limitsGuessing?: boolean;
}

/** Default limit: 600 calls per minute and token, or per IP address without a token. */
export const DEFAULT_LIMIT: Limit = { points: 600, per: 60, by: "account" };

type InputSchema = z.ZodObject | undefined;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface UploadRule {
  field: string;
  maxBytes: number;
  /** Accepted content types, only for documentation; the service detects the type by the content. */
  types: readonly string[];
}

export interface WithFile {
  file: Upload;
}

/** File being received. Reading throws `body_too_large` beyond `maxBytes`. */
export interface Upload {
  /** The client's file name without its path. Untrusted: never derive a path or a type from it. */
  name: string | null;
  content: AsyncIterable<Uint8Array>;
}

interface OperationParts<Params, Query, Body, OutputSchema, Access, HttpMethod> {
  id: string;
  method: HttpMethod;
  path: `/api/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** `token` requires a signed-in account; `public` accepts anonymous callers. */
  access: Access;
  /** Ability that the token needs: `read` when omitted, none when null. */
  ability?: Ability | null;
  /** Also accepts a site's external key (`X-API-Key`); other operations reject such keys with 403. */
  acceptsSiteKey?: boolean;
  /** During impersonation (read-only): `false` rejects even reads; `self` runs as the impersonating user. */
  viewAs?: false | "self";
  /** Available to accounts that are blocked by the two-factor requirement. */
  isAllowedWithoutFactor?: true;
  /** Model name in the 404 of `{id}`, such as `Site`. */
  record?: string;
  limit?: Limit;
  /** Signs in: `too_many_requests` is replaced by `way_in_throttled`, whose body has `retry_after`. */
  isSignIn?: boolean;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Keys below `validation.attributes` for fields whose label differs from the usual one. */
  labels?: Record<string, string>;
  /** Accepts one file as `multipart/form-data` instead of a JSON body. REST only, also for the panel. */
  upload?: UploadRule;
  /** Content type of a file returned instead of JSON. REST only. */
  file?: string;
  output: OutputSchema;
  /** Supports `Idempotency-Key`: the service runs in `withIdempotency()`. A repeat has no further effect. */
  idempotent?: boolean;
  /** Error codes in addition to the general ones and the 404 of `{id}`. */
  errors?: readonly ErrorCode[];
  /** Cache-Control for shared caches; default `no-store`. */
  cacheControl?: string;
}

/** API operation: the single source for REST, tRPC, forms, OpenAPI and tests. */
export interface Operation<
  Params extends InputSchema = InputSchema,
  Query extends InputSchema = InputSchema,
  Body extends InputSchema = InputSchema,
  OutputSchema extends z.ZodType = z.ZodType,
  Access extends "public" | "token" = "public" | "token",
  HttpMethod extends Method = Method,
> extends OperationParts<Params, Query, Body, OutputSchema, Access, HttpMethod> {
  status: 200 | 201;
}

/** Declares an operation; `status` defaults to 200. An unknown key is a compile error, also in a spread. */
export function operation<
  OutputSchema extends z.ZodType,
  Access extends "public" | "token",
  HttpMethod extends Method,
  Shape extends object,
  Params extends InputSchema = undefined,
  Query extends InputSchema = undefined,
  Body extends InputSchema = undefined,
>(
  shape: OperationParts<Params, Query, Body, OutputSchema, Access, HttpMethod> & { status?: 201 } & Shape &
    Record<Exclude<keyof Shape, keyof Operation>, never>,
): Operation<Params, Query, Body, OutputSchema, Access, HttpMethod> {
  return { status: 200, ...shape };
}

type PartOf<T> = T extends z.ZodType ? z.output<T> : Record<never, never>;

export type Input<Op> =
  Op extends Operation<infer Params, infer Query, infer Body>
    ? { params: PartOf<Params>; query: PartOf<Query>; body: PartOf<Body> }
    : never;

type InputPart<K extends string, T> = T extends z.ZodType
  ? Record<never, never> extends z.input<T>
    ? { [key in K]?: z.input<T> }
    : { [key in K]: z.input<T> }
  : { [key in K]?: undefined };

/** Input as the panel passes it, before parsing. */
export type CallInput<Op> =
  Op extends Operation<infer Params, infer Query, infer Body>
    ? InputPart<"params", Params> & InputPart<"query", Query> & InputPart<"body", Body>
    : never;

export type Output<Op> =
  Op extends Operation<InputSchema, InputSchema, InputSchema, infer OutputSchema>
    ? z.output<OutputSchema>
    : never;

export type ActorOf<Op> = Op extends { access: "token" } ? UserActor : Context["actor"];

export type AnyOperation = Operation<InputSchema, InputSchema, InputSchema, z.ZodType>;

export interface Handler<Op extends AnyOperation = AnyOperation> {
  operation: Op;
  /** SQL expression of the output, for frequent reads; may use the row `caller`. If null, `run` is called. */
  outputSql?: SqlText;
  /** Returns the cached output of an operation whose response is the same for every caller. */
  cachedOutput?(): RawJson | undefined;
  run(
    ctx: Context,
    input: { params: unknown; query: unknown; body: unknown; file?: Upload },
  ): Promise<unknown>;
}

export function createHandler<
  Params extends InputSchema,
  Query extends InputSchema,
  Body extends InputSchema,
  OutputSchema extends z.ZodType,
  Access extends "public" | "token",
  HttpMethod extends Method,
>(
  op: Operation<Params, Query, Body, OutputSchema, Access, HttpMethod>,
  service: (
    ctx: Context<ActorOf<{ access: Access }>>,
    input: Input<Operation<Params, Query, Body, OutputSchema, Access>> & WithFile,
  ) => Promise<z.output<OutputSchema> | RawJson | FileOutput>,
  outputSql?: SqlText,
): Handler<Operation<Params, Query, Body, OutputSchema, Access, HttpMethod>> {
  return { operation: op, run: service as Handler["run"], ...(outputSql && { outputSql }) };
}

export interface FileContent {
  /** Size in bytes; undefined for a file generated while it is sent. */
  size?: number;
  /** Opens the whole file or a byte range, both ends inclusive. */
  open(range?: { start: number; end: number }): Readable;
}

/** File output, sent as an attachment. */
export class FileOutput {
  readonly isFileOutput = true;
  constructor(
    readonly content: FileContent,
    readonly download: { type: string; name: string },
  ) {}
}

/** Output that PostgreSQL has serialised. It is sent unchanged and parsed only for validation. */
export class RawJson {
  readonly isRawJson = true;
  constructor(readonly body: string | RawUtf8) {}

  get text(): string {
    return typeof this.body === "string" ? this.body : this.body.text;
  }
}
