import * as z from "zod";

/**
 * A code determines status and body (docs/contract.md 7). Texts are in messages under `errors.<code>`.
 * Shapes: `message` {message} · `failure` {success:false, error, …} · `refusal` {success:false, message} ·
 * `validation` {message, errors}.
 */
const BODY_SHAPES = {
  message: { id: "MessageError", description: "Error response; `message` contains the reason." },
  failure: { id: "FailureError", description: "Error response; `error` contains the reason." },
  refusal: {
    id: "RefusalError",
    description: "Error response; `message` contains the reason and `success` is false.",
  },
  validation: { id: "ValidationError", description: "Invalid input; `errors` lists the problems by field." },
};
type Shape = keyof typeof BODY_SHAPES;

export interface ErrorSpec {
  status: number;
  shape: Shape;
  /** Additional fields of the body. Their `id` names the body's schema in OpenAPI. */
  fields?: z.ZodObject;
  /** Fixed English text on REST; `{name}` is filled from `params`. */
  fixedText?: string;
  /** Description for integrators, if the English user text is not enough. */
  integratorDescription?: string;
}
export type ErrorSpecs = Record<string, ErrorSpec>;

/** Why an email account could not send: a category, never the email server's own text. */
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

export const MAIL_STEPS = ["connect", "tls", "sign_in", "sender", "sent"] as const;
export type MailStep = (typeof MAIL_STEPS)[number];
export const MailSteps = z
  .array(
    z.strictObject({
      step: z.enum(MAIL_STEPS).meta({ description: "Step of the test.", example: "connect" }),
      outcome: z.enum(["done", "failed", "unused", "not_reached"]).meta({
        description:
          "Result of the step. `unused`: not needed, because the server offers no encryption or requires no sign-in. `not_reached`: an earlier step failed.",
        example: "done",
      }),
    }),
  )
  .meta({ id: "MailSteps", description: "Steps of a test mail, in order." });
export type MailSteps = z.infer<typeof MailSteps>;

/** Body of a throttled sign-in: the `failure` body with `message` and `retry_after` of the other 429s. */
const Throttled = z
  .strictObject({
    message: z.literal("Too Many Attempts.").meta({ description: "Always this text." }),
    retry_after: z
      .int()
      .min(1)
      .meta({ description: "Seconds to wait before the next attempt.", example: 42 }),
  })
  .meta({ id: "Throttled", description: "Too many attempts; retry after `retry_after` seconds." });

/** Codes, statuses and bodies are public: never rename a code, even an odd one. */
const GENERAL_ERRORS = {
  malformed_json: { status: 400, shape: "refusal" },
  malformed_request: { status: 400, shape: "refusal" },
  unauthenticated: { status: 401, shape: "message", fixedText: "Unauthenticated." },
  widget_key_refused: {
    status: 401,
    shape: "message",
    fields: z
      .strictObject({
        hint: z
          .string()
          .meta({ description: "Advice to fix the request.", example: "Use the external key of the site." }),
      })
      .meta({ id: "WidgetKeyRefused", description: "A widget key cannot call this operation." }),
    fixedText: "Unauthenticated.",
  },
  forbidden: { status: 403, shape: "message", fixedText: "This action is unauthorized." },
  account_passive: {
    status: 403,
    shape: "failure",
    integratorDescription:
      "The account is deactivated (`is_active` is false), or for an agent, the owner of its team or site is.",
  },
  /** The page belongs to an account that is no longer the signed-in one. */
  account_changed: { status: 409, shape: "failure" },
  /** Forbidden during impersonation: a change, or an operation with `viewAs: false`. */
  view_as_closed: { status: 403, shape: "failure" },
  /** Impersonation has ended; calls fail until the user acknowledges that. */
  view_as_over: { status: 403, shape: "failure" },
  /** The grace period for a second factor is over: only `isAllowedWithoutFactor` operations are available. */
  second_factor_required: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        requires_two_factor_setup: z
          .literal(true)
          .meta({ description: "Always true: set up a second factor, then retry." }),
      })
      .meta({ id: "SecondFactorRequired", description: "The account must set up a second factor first." }),
  },
  record_not_found: {
    status: 404,
    shape: "message",
    fixedText: "No query results for model [App\\Models\\{model}] {id}",
  },
  route_not_found: { status: 404, shape: "message", fixedText: "The route {path} could not be found." },
  method_not_allowed: {
    status: 405,
    shape: "message",
    fixedText: "The {method} method is not supported for route {path}. Supported methods: {allow}.",
  },
  /** Optimistic locking failed, see `core/stale.ts`. */
  stale: {
    status: 409,
    shape: "failure",
    fields: z
      .strictObject({
        current: z
          .record(z.string(), z.unknown())
          .nullable()
          .meta({
            description: "Current values; null if the record was deleted.",
            example: { name: "Ayşe Kaya" },
          }),
      })
      .meta({ id: "Stale", description: "The record has changed since the caller read it." }),
  },
  body_timeout: {
    status: 408,
    shape: "message",
    fixedText: "Request Timeout",
    integratorDescription: "The body arrived at less than 10,000 bytes a second for more than 5 seconds.",
  },
  body_too_large: {
    status: 413,
    shape: "message",
    integratorDescription:
      "A JSON body may have at most 1,048,576 bytes. The operation states the limit of an upload.",
    fixedText: "The request body is larger than {limit} bytes.",
  },
  media_type_unsupported: { status: 415, shape: "message" },
  validation: { status: 422, shape: "validation" },
  too_many_requests: { status: 429, shape: "message", fixedText: "Too Many Attempts." },
  server_error: { status: 500, shape: "message", fixedText: "Server Error" },
  busy: { status: 503, shape: "message", fixedText: "Service Unavailable" },
  maintenance: { status: 503, shape: "message", fixedText: "Service Unavailable: maintenance." },
  storage_full: {
    status: 503,
    shape: "message",
    fixedText: "Service Unavailable: no space is left to store anything.",
  },
  storage_away: {
    status: 503,
    shape: "message",
    fixedText: "Service Unavailable: files cannot be stored or read right now.",
    integratorDescription: "The file storage does not respond. Retry after `Retry-After` seconds.",
  },
  sign_in_throttled: { status: 429, shape: "failure", fields: Throttled },
  /** Too many calls of a sign-in operation, successful or not. */
  way_in_throttled: {
    status: 429,
    shape: "failure",
    fields: Throttled,
    integratorDescription:
      "The rate limit of a sign-in operation is exceeded. Other operations return `too_many_requests`.",
  },
  factor_throttled: { status: 429, shape: "failure", fields: Throttled },
} as const satisfies ErrorSpecs;

type GeneralErrors = typeof GENERAL_ERRORS;
/** All codes; `server/errors.ts` augments it with those of the domains. @public */
export interface ErrorTable extends GeneralErrors {}
export type ErrorCode = keyof ErrorTable;

const errorSpecs: ErrorSpecs = { ...GENERAL_ERRORS };

/** Adds the domains' codes; called once by `server/errors.ts`. Throws if a code is declared twice. */
export function declareErrors(tables: readonly ErrorSpecs[]): void {
  for (const specs of tables)
    for (const [code, spec] of Object.entries(specs)) {
      if (errorSpecs[code]) throw new Error(`the error "${code}" is declared twice`);
      errorSpecs[code] = spec;
    }
}

/** Returns the definition of a code. Codes of domains require `server/errors.ts` to be loaded. */
export function getErrorSpec(code: ErrorCode): ErrorSpec {
  const spec = errorSpecs[code];
  if (!spec) throw new Error(`the error ${code} is declared by no domain`);
  return spec;
}

export function getErrorSpecs(): ErrorSpecs {
  return errorSpecs;
}

type FieldsOf<C extends ErrorCode> = ErrorTable[C] extends { fields: infer F extends z.ZodObject }
  ? z.infer<F>
  : Record<never, never>;

interface ErrorExtras {
  /** Values for the placeholders of the text; not part of the body. */
  params?: Record<string, string | number>;
  /** Seconds, sent as the Retry-After header. */
  retryAfter?: number;
  /** Limit to report, if another counter than the operation's rejected the call. */
  limit?: number;
  headers?: Record<string, string>;
  /** Message keys by field, for a `validation` error. */
  issues?: FieldIssues;
  /** Counts the call despite invalid input, because checking it reveals data or is expensive. */
  countsAgainstLimit?: boolean;
  cause?: unknown;
}

/** Problem with a field: a key below `validation` in the messages. */
export interface FieldIssue {
  key: string;
  params?: Record<string, string | number>;
  /** Key of the field's label below `validation.attributes`; default: the field's name. */
  label?: string;
}
export type FieldIssues = Record<string, FieldIssue[]>;

/** Error that services throw. Transports turn it into a response in the caller's language. */
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
    return getErrorSpec(this.code).status;
  }
}

export function createError<C extends ErrorCode>(
  ...[code, extras]: keyof FieldsOf<C> extends never ? [code: C, extras?: ErrorExtras] : never
): AppError<C> {
  return new AppError(code, {} as FieldsOf<C>, extras);
}

export function createNotFoundError(model: string, id: string | number): AppError<"record_not_found"> {
  return createError("record_not_found", { params: { model, id } });
}

/** Creates a 403 if the record exists outside the caller's scope, otherwise a 404 (docs/contract.md 5.5). */
export function createInaccessibleError(record: unknown, model: string, id: string | number): AppError {
  return record ? createError("forbidden") : createNotFoundError(model, id);
}

/** Creates a `validation` error for one field, for rules that a schema cannot express. */
export function invalidField(
  field: string,
  key: string,
  params?: FieldIssue["params"],
): AppError<"validation"> {
  return new AppError("validation", {}, { issues: { [field]: [{ key, params }] } });
}

/** Like {@link invalidField}, but counts against the limit: the rule reveals data or is expensive. */
export function countedInvalidField(
  field: string,
  key: string,
  params?: FieldIssue["params"],
): AppError<"validation"> {
  return new AppError("validation", {}, { issues: { [field]: [{ key, params }] }, countsAgainstLimit: true });
}

/** Creates the error of a throttled sign-in. `retry_after` is in seconds; the text names minutes. */
export function throttleError(
  code: "sign_in_throttled" | "way_in_throttled" | "factor_throttled",
  { retryAfter, limit }: { retryAfter: number; limit?: number },
): AppError {
  return new AppError(
    code,
    { message: "Too Many Attempts.", retry_after: retryAfter },
    { retryAfter, limit, params: { minutes: Math.ceil(retryAfter / 60) } },
  );
}

/** Compares by name: the server's and Next's bundle each contain a copy of the class. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === "AppError" && "code" in error;
}

export function buildErrorBodySchema(code: ErrorCode): z.ZodObject {
  const { shape, fields } = getErrorSpec(code);
  const reason = z
    .string()
    .min(1)
    .meta({
      description:
        shape === "message"
          ? "Reason: in the caller's language, or a fixed English text for technical errors. Use " +
            "`X-Error-Code` in programs."
          : "Reason in the caller's language, suitable for display.",
      example: "This action is unauthorized.",
    });
  const success = z.literal(false).meta({ description: "Always false: the call failed." });
  const errors = z.record(z.string(), z.array(z.string()).min(1)).meta({
    description: "Messages by field.",
    example: { domain: ["This domain is already in use."] },
  });
  const base = {
    message: { message: reason },
    failure: { success, error: reason },
    refusal: { success, message: reason },
    validation: { message: reason, errors },
  }[shape];
  const { id, description } = fields?.meta() ?? BODY_SHAPES[shape];
  return z.strictObject({ ...base, ...fields?.shape }).meta({ id, description });
}
