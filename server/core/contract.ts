import type { Readable } from "node:stream";
import type * as z from "zod";
import type { Context, UserActor } from "./context";
import type { ErrorCode } from "./errors";
import type { SqlText } from "./sql";
import type { Unread } from "./unread";

/** What a token may do; `*` covers all of them. */
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

/** How often an operation may be called. A call beyond it is refused with 429 and Retry-After. */
export interface Limit {
  points: number;
  /** Window in seconds. */
  per: number;
  by: "ip" | "account";
  /** Named in docs/contract.md 8: the same in every mode, and every call counts. */
  named?: boolean;
  /** Counted in the database, shared by processes and kept over a restart; otherwise counted in memory. */
  durable?: boolean;
  /** Bounds guesses: durable, and never counted in Redis. */
  guards?: boolean;
}

/** Limit of every operation that sets none: 600 a minute per token, or per address without a token. */
export const DEFAULT_LIMIT: Limit = { points: 600, per: 60, by: "account" };

type Part = z.ZodObject | undefined;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The one file that an operation takes. */
interface UploadRule {
  /** Name of the form's field. */
  field: string;
  maxBytes: number;
  /** Accepted content types, for the description. The service checks the content itself. */
  types: readonly string[];
}

/** Extra input of an operation with `upload`. */
export interface WithFile {
  file: Upload;
}

/** A file while it is being received. Reading throws `body_too_large` beyond the limit. */
export interface Upload {
  /** As its sender calls it, without a folder; to be read as text, never as a path or a type. */
  name: string | null;
  content: AsyncIterable<Uint8Array>;
}

interface OperationParts<P, Q, B, A, X, M> {
  id: string;
  method: M;
  /** Contains `{name}` for each parameter. */
  path: `/api/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** `token` needs a signed-in actor; `public` accepts anyone. */
  access: X;
  /** What a token must hold, unless it holds `*`: `read` when omitted, nothing when null. */
  ability?: Ability | null;
  /** A site's external key (`X-API-Key`) may call this too; other operations refuse such a key with 403. */
  siteKey?: boolean;
  /**
   * While somebody views as another person, who can only look: `false` is closed, even for looking; `self` is called as the
   * person at the keyboard, because it is about the view.
   */
  viewAs?: false | "self";
  /** Open to an account that should have set up a second factor by now: its profile, its ways in, and how to leave. */
  withoutFactor?: true;
  /** Name of the record in the text of a 404. */
  record?: string;
  limit?: Limit;
  /** Signs in to an account: its 429 has the fields of a throttled sign-in, whichever counter refused. */
  wayIn?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /** Names below `validation.attributes` of fields that are called something else than others of their name. */
  labels?: Record<string, string>;
  /** Takes one file as `multipart/form-data` instead of a JSON body. REST only; the panel calls it with its cookie. */
  upload?: UploadRule;
  /** Returns a file of this type instead of JSON. REST only. */
  file?: string;
  output: A;
  /** A client may send `Idempotency-Key`; the service then runs in `once()`, and a repeated call has no further effect. */
  idempotent?: boolean;
  /** Error codes this operation can return, in addition to the general ones. `{id}` in the path has its own 404. */
  errors?: readonly ErrorCode[];
  /** Cache-Control for shared caches; every other response is `no-store`. */
  cacheControl?: string;
}

/** One capability: the single description from which REST, tRPC, forms, OpenAPI and tests are made. */
export interface Operation<
  P extends Part = Part,
  Q extends Part = Part,
  B extends Part = Part,
  A extends z.ZodType = z.ZodType,
  X extends "public" | "token" = "public" | "token",
  M extends Method = Method,
> extends OperationParts<P, Q, B, A, X, M> {
  /** Status of success. */
  status: 200 | 201;
}

/** Declares an operation. Its `status` is 200 unless given. */
export function operation<
  A extends z.ZodType,
  X extends "public" | "token",
  M extends Method,
  P extends Part = undefined,
  Q extends Part = undefined,
  B extends Part = undefined,
>(shape: OperationParts<P, Q, B, A, X, M> & { status?: 201 }): Operation<P, Q, B, A, X, M> {
  return { status: 200, ...shape };
}

type PartOf<T> = T extends z.ZodType ? z.output<T> : Record<never, never>;

/** What the service function of an operation receives: each part, parsed. */
export type Input<O> =
  O extends Operation<infer P, infer Q, infer B>
    ? { params: PartOf<P>; query: PartOf<Q>; body: PartOf<B> }
    : never;

type Given<K extends string, T> = T extends z.ZodType
  ? Record<never, never> extends z.input<T>
    ? { [key in K]?: z.input<T> }
    : { [key in K]: z.input<T> }
  : { [key in K]?: undefined };

/** What the panel passes to an operation: its parts before parsing. */
export type CallInput<O> =
  O extends Operation<infer P, infer Q, infer B>
    ? Given<"params", P> & Given<"query", Q> & Given<"body", B>
    : never;

/** What the operation returns. */
export type Output<O> = O extends Operation<Part, Part, Part, infer A> ? z.output<A> : never;

/** The actor that an operation can rely on. */
export type ActorOf<O> = O extends { access: "token" } ? UserActor : Context["actor"];

export type AnyOperation = Operation<Part, Part, Part, z.ZodType>;

/** An operation bound to the service function that performs it. */
export interface Handler<O extends AnyOperation = AnyOperation> {
  operation: O;
  /**
   * The output without any input, as SQL over the row `caller` of the token and its owner; null where `run` must decide.
   * The most frequent reads have one: token and output are then read in one statement, of one snapshot.
   */
  outputSql?: SqlText;
  /** The output, where it is the same for everybody and was made already: a call of it is counted and logged, nothing else. */
  kept?(): RawJson | undefined;
  run(
    ctx: Context,
    input: { params: unknown; query: unknown; body: unknown; file?: Upload },
  ): Promise<unknown>;
}

/** Binds an operation to its service function; both transports use the result. */
export function handle<
  P extends Part,
  Q extends Part,
  B extends Part,
  A extends z.ZodType,
  X extends "public" | "token",
  M extends Method,
>(
  op: Operation<P, Q, B, A, X, M>,
  verb: (
    ctx: Context<ActorOf<{ access: X }>>,
    input: Input<Operation<P, Q, B, A, X>> & WithFile,
  ) => Promise<z.output<A> | RawJson | FileOutput>,
  outputSql?: SqlText,
): Handler<Operation<P, Q, B, A, X, M>> {
  return { operation: op, run: verb as Handler["run"], ...(outputSql && { outputSql }) };
}

/** A file that can be read. */
export interface FileContent {
  /** Bytes; missing for a file that is made while it is sent. */
  size?: number;
  /** Whole, or from one byte to another, both included. */
  open(range?: { start: number; end: number }): Readable;
}

/** A file as output, to be saved under a name that we choose. The operation gives its type in `file`. */
export class FileOutput {
  readonly isFileOutput = true;
  constructor(
    readonly content: FileContent,
    readonly save: { type: string; name: string },
  ) {}
}

/** Output that PostgreSQL already wrote as JSON text. Sent unchanged, and parsed only to be checked. */
export class RawJson {
  readonly isRawJson = true;
  constructor(readonly body: string | Unread) {}

  get text(): string {
    return typeof this.body === "string" ? this.body : this.body.text;
  }
}
