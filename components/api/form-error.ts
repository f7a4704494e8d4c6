import { useTranslations } from "next-intl";

/** The error of a refused submission. `submit` functions may throw it; other errors are converted by `toFormError`. */
export class FormError extends Error {
  override readonly name = "FormError";
  /** Texts by field path (`name`, `items.0.title`). */
  readonly errors: Record<string, string[]>;
  readonly status?: number;
  /** Name of the error in tRPC responses. */
  readonly code?: string;
  /** Seconds until another try makes sense. */
  readonly retryAfter?: number;
  readonly requestId?: string;
  /** The session has ended: the person must sign in again. */
  readonly signedOut: boolean;
  /** The whole response body, for 402 and other responses a page handles itself. */
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

type Bag = Record<string, unknown>;
const isBag = (value: unknown): value is Bag =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);
const number = (value: unknown) => (typeof value === "number" ? value : undefined);

function fieldTexts(value: unknown): Record<string, string[]> {
  if (!isBag(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([path, texts]) => [
      path,
      [texts].flat().filter((each): each is string => Boolean(text(each))),
    ]),
  );
}

/**
 * Converts any thrown value: our own error, a response of the API (`{message, errors}` or `{success: false, error}`),
 * or a tRPC client error that carries such a response in `data` or `data.body`.
 */
export function toFormError(cause: unknown): FormError {
  if (cause instanceof FormError) return cause;
  if (!isBag(cause)) return new FormError({});
  const data = isBag(cause.data) ? cause.data : cause;
  const body = isBag(data.body) ? data.body : data;
  // A browser's own errors ("Failed to fetch") are not meant for people.
  const answered = body !== cause || !(cause instanceof Error);
  return new FormError({
    message: answered ? (text(body.error) ?? text(body.message)) : undefined,
    errors: fieldTexts(body.errors),
    status: number(data.status) ?? number(data.httpStatus),
    code: data === body ? undefined : text(data.error),
    retryAfter: number(data.retryAfter) ?? number(body.retry_after),
    requestId: text(data.requestId) ?? text(body.request_id),
    signedOut: data.error === "unauthenticated",
    body,
  });
}

/** Returns the text for any error: the server's own, or that the server could not be reached. */
export function useErrorText(): (cause: unknown) => string {
  const t = useTranslations("ui.error");
  return (cause) => {
    const { message, status } = toFormError(cause);
    if (message) return message;
    return t(status === 429 ? "throttled" : status ? "unexpected" : "network");
  };
}
