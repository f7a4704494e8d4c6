import type * as z from "zod";
import type { StoredFile } from "@/server/infrastructure/storage/storage";
import type { Context, UserActor } from "./context";
import type { ErrorCode } from "./errors";

/** What a token may do; `*` covers all of them (decisions: abilities). */
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

/** How often an operation may be called. Exceeding it answers 429 with Retry-After. */
export interface Limit {
  points: number;
  /** Window in seconds. */
  per: number;
  by: "ip" | "account";
  /** The contract names it (section 8): the same in every mode, and every call counts. */
  named?: boolean;
  /** Counted in the database, shared by processes and kept over a restart; memory otherwise. */
  durable?: boolean;
}

/** Limit of every operation that names none: 600 a minute for one token, or one address without a token. */
export const DEFAULT_LIMIT: Limit = { points: 600, per: 60, by: "account" };

type Part = z.ZodObject | undefined;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The one file that an operation takes. */
export interface UploadRule {
  /** Name of the form's field. */
  field: string;
  maxBytes: number;
  /** What it may be, for the description; the verb looks at the content itself. */
  types: readonly string[];
}

/** What the verb of an operation with `upload` is given besides. */
export interface WithFile {
  file: Upload;
}

/** A file that comes with a request, while it arrives. Reading throws `body_too_large` beyond the limit. */
export interface Upload {
  content: AsyncIterable<Uint8Array>;
}

/** One capability: the single description that REST, tRPC, forms, OpenAPI and tests are made from. */
export interface Operation<
  P extends Part = Part,
  Q extends Part = Part,
  B extends Part = Part,
  A extends z.ZodType = z.ZodType,
  X extends "public" | "token" = "public" | "token",
  M extends Method = Method,
> {
  id: string;
  method: M;
  /** With `{name}` for each parameter. */
  path: `/api/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** `token` needs a signed-in actor; `public` accepts anyone. */
  access: X;
  /** What a token must hold, beside `*`: `read` when none is named, nothing at all when it is null. */
  ability?: Ability | null;
  /** A site's external key (`X-API-Key`) may call this too; every other operation refuses one with 403. */
  siteKey?: boolean;
  /** Name of the record in a 404, as the contract writes it. */
  record?: string;
  limit?: Limit;
  /** Leads into an account: its 429 has the fields of a throttled sign-in, whichever counter refused. */
  wayIn?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /** Takes one file as `multipart/form-data` instead of a JSON body: REST only, for the panel with its cookie, too. */
  upload?: UploadRule;
  /** Answers a file of this type instead of JSON: REST only, no procedure of the panel. */
  file?: string;
  /** Status of success. */
  status: 200 | 201;
  output: A;
  /** Codes of the error table that this operation can answer, beside the general ones. */
  errors?: readonly ErrorCode[];
  /** Header for shared caches; everything else is `no-store`. */
  cacheControl?: string;
}

/** Declares an operation. The value is its own description: nothing is added. */
export function operation<
  A extends z.ZodType,
  X extends "public" | "token",
  M extends Method,
  P extends Part = undefined,
  Q extends Part = undefined,
  B extends Part = undefined,
>(shape: Operation<P, Q, B, A, X, M>): Operation<P, Q, B, A, X, M> {
  return shape;
}

type PartOf<T> = T extends z.ZodType ? z.output<T> : Record<never, never>;

/** What a verb is given: each part parsed. */
export type Input<O> =
  O extends Operation<infer P, infer Q, infer B>
    ? { params: PartOf<P>; query: PartOf<Q>; body: PartOf<B> }
    : never;

type Given<K extends string, T> = T extends z.ZodType
  ? Record<never, never> extends z.input<T>
    ? { [key in K]?: z.input<T> }
    : { [key in K]: z.input<T> }
  : { [key in K]?: undefined };

/** What a caller in the panel passes: the parts an operation has, before parsing. */
export type CallInput<O> =
  O extends Operation<infer P, infer Q, infer B>
    ? Given<"params", P> & Given<"query", Q> & Given<"body", B>
    : never;

/** What the operation answers. */
export type Output<O> = O extends Operation<Part, Part, Part, infer A> ? z.output<A> : never;

/** The actor an operation is sure of. */
export type ActorOf<O> = O extends { access: "token" } ? UserActor : Context["actor"];

export type AnyOperation = Operation<Part, Part, Part, z.ZodType>;

/** An operation bound to the verb that performs it. */
export interface Handler<O extends AnyOperation = AnyOperation> {
  operation: O;
  run(
    ctx: Context,
    input: { params: unknown; query: unknown; body: unknown; file?: Upload },
  ): Promise<unknown>;
}

/** Binds an operation to its verb, once; both transports take it from there. */
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
): Handler<Operation<P, Q, B, A, X, M>> {
  return { operation: op, run: verb as Handler["run"] };
}

/** A file that is stored, or one that is made while it is sent and has no size yet. */
export type FileContent = Partial<Pick<StoredFile, "size">> & Pick<StoredFile, "open">;

/** A file as an output, to be saved under a name of ours: the operation names its type under `file`. */
export class FileOutput {
  readonly isFileOutput = true;
  constructor(
    readonly content: FileContent,
    readonly save: { type: string; name: string },
  ) {}
}

/** A body that PostgreSQL already wrote as JSON text: sent as it is, parsed only where it is checked. */
export class RawJson {
  readonly isRawJson = true;
  constructor(readonly text: string) {}
}
