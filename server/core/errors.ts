import * as z from "zod";

/**
 * A code determines the REST status and the documented shape of the body (docs/contract.md 7). Codes that every
 * operation can return are defined here, the others in the `errors.ts` of the domain that throws them. Texts are in
 * messages under `errors.<code>`; a technical text is fixed English on REST.
 *
 * Shapes: `message` {message} · `failure` {success:false, error, …} · `refusal` {success:false, message} ·
 * `validation` {message, errors}.
 */
const SHAPES = {
  message: { id: "MessageError", description: "The request failed: `message` says why." },
  failure: { id: "FailureError", description: "The request was refused: `error` says why." },
  refusal: { id: "RefusalError", description: "The request was refused: `message` says why." },
  validation: { id: "ValidationError", description: "The input is invalid." },
};
type Shape = keyof typeof SHAPES;

export interface ErrorSpec {
  status: number;
  shape: Shape;
  /** Further fields of the body, besides the text; their `id` names that body in the API's description. */
  fields?: z.ZodObject;
  /** The fixed English text of a technical error on REST; `{name}` is filled from the parameters. */
  technical?: string;
}
export type ErrorSpecs = Record<string, ErrorSpec>;

/** Why a mail account could not send: a class, never the mail server's own text. */
export const MailFailure = z.enum([
  "unreachable",
  "private_host",
  "tls",
  "auth",
  "sender",
  "recipient",
  "refused",
]);
export type MailFailure = z.infer<typeof MailFailure>;

/** What a test mail goes through, in this order, and what became of each. */
export const MAIL_STEPS = ["connect", "tls", "sign_in", "sender", "sent"] as const;
export type MailStep = (typeof MAIL_STEPS)[number];
export const MailSteps = z
  .array(
    z.strictObject({
      step: z.enum(MAIL_STEPS).meta({ description: "Step of the test.", example: "connect" }),
      outcome: z.enum(["done", "failed", "unused", "not_reached"]).meta({
        description:
          "Result of the step. `unused`: the server offers no encryption or needs no sign-in. `not_reached`: an earlier step failed.",
        example: "done",
      }),
    }),
  )
  .meta({ id: "MailSteps", description: "Steps of a test mail, in order." });
export type MailSteps = z.infer<typeof MailSteps>;

/** A throttled sign-in carries the fields of both documented 429 bodies (docs/contract.md 7). */
const Throttled = z
  .strictObject({
    message: z.literal("Too Many Attempts.").meta({ description: "Always this text." }),
    retry_after: z
      .int()
      .min(1)
      .meta({ description: "Seconds to wait before the next attempt.", example: 42 }),
  })
  .meta({ id: "Throttled", description: "Too many attempts." });

const GENERAL = {
  malformed_json: { status: 400, shape: "refusal" },
  malformed_request: { status: 400, shape: "refusal" },
  unauthenticated: { status: 401, shape: "message", technical: "Unauthenticated." },
  widget_key_refused: {
    status: 401,
    shape: "message",
    fields: z
      .strictObject({
        hint: z
          .string()
          .meta({ description: "Advice for the caller.", example: "Use the external key of the site." }),
      })
      .meta({ id: "WidgetKeyRefused", description: "A widget key cannot call this operation." }),
    technical: "Unauthenticated.",
  },
  forbidden: { status: 403, shape: "message", technical: "This action is unauthorized." },
  account_passive: { status: 403, shape: "failure" },
  /** The page that called is of another account than the one that is signed in by now. */
  account_changed: { status: 409, shape: "failure" },
  /** Somebody views as another person, and what they called changes something or is closed to them. */
  view_as_closed: { status: 403, shape: "failure" },
  /** The view has ended; nothing more is done until the person at the keyboard has seen that. */
  view_as_over: { status: 403, shape: "failure" },
  /** The account's days of grace for a second factor are over: only what is `withoutFactor` is open to it. */
  second_factor_required: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        requires_two_factor_setup: z
          .literal(true)
          .meta({ description: "Always true: set up a second factor first." }),
      })
      .meta({ id: "SecondFactorRequired", description: "The account must set up a second factor first." }),
  },
  record_not_found: {
    status: 404,
    shape: "message",
    technical: "No query results for model [App\\Models\\{model}] {id}",
  },
  route_not_found: { status: 404, shape: "message", technical: "The route {path} could not be found." },
  method_not_allowed: {
    status: 405,
    shape: "message",
    technical: "The {method} method is not supported for route {path}. Supported methods: {allow}.",
  },
  /** A value has changed since the caller saw it, see `core/stale.ts`; `current` is null when the record is gone. */
  stale: {
    status: 409,
    shape: "failure",
    fields: z
      .strictObject({
        current: z
          .record(z.string(), z.unknown())
          .nullable()
          .meta({
            description: "Current values; null when the record is gone.",
            example: { name: "Ayşe Kaya" },
          }),
      })
      .meta({ id: "Stale", description: "The record has changed since the caller read it." }),
  },
  body_timeout: { status: 408, shape: "message", technical: "Request Timeout" },
  body_too_large: {
    status: 413,
    shape: "message",
    technical: "The request body is larger than {limit} bytes.",
  },
  media_type_unsupported: { status: 415, shape: "message" },
  validation: { status: 422, shape: "validation" },
  too_many_requests: { status: 429, shape: "message", technical: "Too Many Attempts." },
  server_error: { status: 500, shape: "message", technical: "Server Error" },
  busy: { status: 503, shape: "message", technical: "Service Unavailable" },
  maintenance: { status: 503, shape: "message", technical: "Service Unavailable: maintenance." },
  storage_full: {
    status: 503,
    shape: "message",
    technical: "Service Unavailable: no space is left to store anything.",
  },
  storage_away: {
    status: 503,
    shape: "message",
    technical: "Service Unavailable: files cannot be stored or read right now.",
  },
  sign_in_throttled: { status: 429, shape: "failure", fields: Throttled },
  way_in_throttled: { status: 429, shape: "failure", fields: Throttled },
  factor_throttled: { status: 429, shape: "failure", fields: Throttled },
} as const satisfies ErrorSpecs;

type General = typeof GENERAL;
/** Every code; `server/errors.ts` adds those of the domains. @public */
export interface ErrorTable extends General {}
export type ErrorCode = keyof ErrorTable;

const table: ErrorSpecs = { ...GENERAL };

/** Adds the codes of domains; called once, by `server/errors.ts`. Throws when a code is declared twice. */
export function declareErrors(tables: readonly ErrorSpecs[]): void {
  for (const specs of tables)
    for (const [code, spec] of Object.entries(specs)) {
      if (table[code]) throw new Error(`the error "${code}" is declared twice`);
      table[code] = spec;
    }
}

/** Returns what a code means. Codes of domains are known once `server/errors.ts` is loaded. */
export function errorSpec(code: ErrorCode): ErrorSpec {
  const known = table[code];
  if (!known) throw new Error(`the error ${code} is declared by no domain`);
  return known;
}

/** Returns the whole table: the general codes and those that domains declare. */
export function errorTable(): ErrorSpecs {
  return table;
}

type FieldsOf<C extends ErrorCode> = ErrorTable[C] extends { fields: infer F extends z.ZodObject }
  ? z.infer<F>
  : Record<never, never>;

interface ErrorExtras {
  /** Fills the placeholders of the text; never part of the body. */
  params?: Record<string, string | number>;
  /** Seconds, sent as the Retry-After header. */
  retryAfter?: number;
  /** Limit of the counter that refused, when it is not the operation's own. */
  limit?: number;
  /** Further response headers, such as Allow. */
  headers?: Record<string, string>;
  /** Message keys by field, for a `validation` error. */
  issues?: FieldIssues;
  /**
   * Reveals something about others, or took work to find out: such a refusal counts against a limit like any other
   * call.
   */
  counted?: boolean;
  cause?: unknown;
}

/** A problem with one field: a key below `validation` in the messages, with its parameters. */
export interface FieldIssue {
  key: string;
  params?: Record<string, string | number>;
  /** What the field is called, below `validation.attributes`; its own name when omitted. */
  label?: string;
}
export type FieldIssues = Record<string, FieldIssue[]>;

/**
 * The only error a service throws. It carries a code of the table and the further fields of that code's body; a
 * transport turns it into a response in the caller's language.
 */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "AppError";
  constructor(
    readonly code: C,
    readonly fields: FieldsOf<C>,
    readonly extras: ErrorExtras = {},
  ) {
    super(code, { cause: extras.cause });
  }
  get status(): number {
    return errorSpec(this.code).status;
  }
}

/** Shorthand for an error without further fields. */
export function refuse<C extends ErrorCode>(
  ...[code, extras]: keyof FieldsOf<C> extends never ? [code: C, extras?: ErrorExtras] : never
): AppError<C> {
  return new AppError(code, {} as FieldsOf<C>, extras);
}

/** A record out of the caller's reach: 403 when it exists, 404 when it does not (docs/contract.md 5.5). */
export function outOfReach(found: unknown, model: string, id: string | number): AppError {
  return found ? refuse("forbidden") : refuse("record_not_found", { params: { model, id } });
}

/** One wrong field, found by a rule that a schema cannot express. */
export function invalid(field: string, key: string, params?: FieldIssue["params"]): AppError<"validation"> {
  return new AppError("validation", {}, { issues: { [field]: [{ key, params }] } });
}

/** The same for rules that compare with other accounts (a taken address, an unknown code) or that cost work. */
export function invalidCounted(
  field: string,
  key: string,
  params?: FieldIssue["params"],
): AppError<"validation"> {
  return new AppError("validation", {}, { issues: { [field]: [{ key, params }] }, counted: true });
}

/** A sign-in that is throttled; the body has the seconds to wait, its text the minutes. */
export function throttled(
  code: "sign_in_throttled" | "way_in_throttled" | "factor_throttled",
  { retryAfter, limit }: { retryAfter: number; limit?: number },
): AppError {
  return new AppError(
    code,
    { message: "Too Many Attempts.", retry_after: retryAfter },
    { retryAfter, limit, params: { minutes: Math.ceil(retryAfter / 60) } },
  );
}

/** Compares by name: the server bundle and Next's bundle each have their own copy of the class. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === "AppError" && "code" in error;
}

/** Returns the schema of an error's body, for the OpenAPI document and the tests; its `id` names it there. */
export function errorBody(code: ErrorCode): z.ZodObject {
  const { shape, fields } = errorSpec(code);
  const text = z.string().min(1).meta({
    description: "Reason in the caller's language, to show to people.",
    example: "This action is unauthorized.",
  });
  const success = z.literal(false).meta({ description: "Always false: the call was refused." });
  const errors = z.record(z.string(), z.array(z.string()).min(1)).meta({
    description: "Problems by field.",
    example: { domain: ["This domain is already in use."] },
  });
  const base = {
    message: { message: text },
    failure: { success, error: text },
    refusal: { success, message: text },
    validation: { message: text, errors },
  }[shape];
  const { id, description } = fields?.meta() ?? SHAPES[shape];
  return z.strictObject({ ...base, ...fields?.shape }).meta({ id, description });
}
