import { useTranslations } from "next-intl";

/** Error of a failed submission. `submit` functions may throw it; `toFormError` converts other errors. */
export class FormError extends Error {
  override readonly name = "FormError";
  /** Messages by field path (`name`, `items.0.title`). */
  readonly errors: Record<string, string[]>;
  readonly status?: number;
  readonly code?: string;
  /** Seconds until the next attempt is allowed. */
  readonly retryAfter?: number;
  readonly requestId?: string;
  readonly signedOut: boolean;
  readonly body?: unknown;

  constructor(
    detail: Partial<
      Pick<
        FormError,
        "message" | "errors" | "status" | "code" | "retryAfter" | "requestId" | "signedOut" | "body"
      >
    >,
  ) {
    super(detail.message ?? "");
    this.errors = detail.errors ?? {};
    this.status = detail.status;
    this.code = detail.code;
    this.retryAfter = detail.retryAfter;
    this.requestId = detail.requestId;
    this.signedOut = detail.signedOut ?? false;
    this.body = detail.body;
  }
}

type JsonObject = Record<string, unknown>;
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toText = (value: unknown) => (typeof value === "string" && value ? value : undefined);
const toNumber = (value: unknown) => (typeof value === "number" ? value : undefined);

function parseFieldErrors(value: unknown): Record<string, string[]> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([path, texts]) => [
      path,
      [texts].flat().filter((each): each is string => Boolean(toText(each))),
    ]),
  );
}

/** Converts our own errors, API error bodies, and tRPC errors with such a body in `data` or `data.body`. */
export function toFormError(cause: unknown): FormError {
  if (cause instanceof FormError) return cause;
  if (!isJsonObject(cause)) return new FormError({});
  const data = isJsonObject(cause.data) ? cause.data : cause;
  const body = isJsonObject(data.body) ? data.body : data;
  // Do not show the browser's own errors ("Failed to fetch").
  const isResponse = body !== cause || !(cause instanceof Error);
  return new FormError({
    message: isResponse ? (toText(body.error) ?? toText(body.message)) : undefined,
    errors: parseFieldErrors(body.errors),
    status: toNumber(data.status) ?? toNumber(data.httpStatus),
    code: data === body ? undefined : toText(data.error),
    retryAfter: toNumber(data.retryAfter) ?? toNumber(body.retry_after),
    requestId: toText(data.requestId) ?? toText(body.request_id),
    signedOut: data.error === "unauthenticated",
    body,
  });
}

/** Returns the text to show for any error: the server's message, else a generic one. */
export function useErrorText(): (cause: unknown) => string {
  const t = useTranslations("ui.error");
  return (cause) => {
    const { message, status } = toFormError(cause);
    if (message) return message;
    return t(status === 429 ? "throttled" : status ? "unexpected" : "network");
  };
}
