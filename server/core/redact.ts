/*
 * Texts of errors come from outside: mail servers, providers, drivers. Each pattern starts at one position of a run of
 * characters only (lookbehind), so that its time is linear in the length of the text.
 */

/** Secrets and personal data in the text of an error, with their replacements. */
const SECRETS: ReadonlyArray<[RegExp, string]> = [
  // Our own tokens and keys keep their kind.
  [/\b(ds[a-z])_[0-9A-Za-z]+/g, "$1_…"],
  // The token of a bot, which is part of the URL of its calls.
  [/(?<!\d)\d{5,}:[\w-]{20,}/g, "…"],
  // Secrets in a query string.
  [/\b((?:access_|refresh_|bot_)?(?:token|secret|password))=[^\s&"'<>]+/gi, "$1=…"],
  // Signed tokens of identity providers.
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, "eyJ…"],
  // The password in a URL of a database, a mail server or Redis; a password with an @ ends at the last one.
  [/:\/\/[^\s/@"']*(?:@[^\s/@"']*)*@(?=[^\s@])/g, "://…@"],
  [/(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, "…@…"],
];

/** Longest text of another party that is logged or stored, in characters. */
const EXTERNAL_TEXT_MAX = 2000;

/** Longest stack that is logged, in characters. It contains the message. */
const STACK_MAX = 8000;

/** Returns the beginning of a text, with an ellipsis when it was longer. */
export function truncated(text: string, max = EXTERNAL_TEXT_MAX): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Returns at most `max` characters of a text, without tokens, passwords in URLs, and mail addresses. */
export function redacted(text: unknown, max = EXTERNAL_TEXT_MAX): unknown {
  if (typeof text !== "string") return text;
  return SECRETS.reduce(
    (left, [pattern, replacement]) => left.replace(pattern, replacement),
    truncated(text, max),
  );
}

/** Longer chains of causes are cut: one may lead back to itself. */
const DEPTH = 5;
/** Errors of an `AggregateError` that are logged. */
const ERRORS_MAX = 10;

/**
 * An error as the log shows it: name, code, message and stack, those of its causes, and of the errors that it
 * gathers. Other fields are left out, because drivers keep values of rows there.
 */
export function described(error: unknown, depth = DEPTH): unknown {
  if (!(error instanceof Error)) return redacted(typeof error === "object" ? tagOf(error) : error);
  const { name, code, message, cause, errors, meta } = error as Fields;
  const beneath = cause ?? meta?.driverAdapterError?.cause;
  return {
    name,
    code,
    message: redacted(message),
    stack: redactedStack(error),
    ...(beneath !== undefined && depth > 0 && { cause: described(beneath, depth - 1) }),
    ...(errors?.length &&
      depth > 0 && { errors: errors.slice(0, ERRORS_MAX).map((each) => described(each, depth - 1)) }),
  };
}

/** A stack starts with the message, which must not push the frames out. */
function redactedStack({ message, stack }: Error): unknown {
  if (!stack || message.length <= EXTERNAL_TEXT_MAX || !stack.includes(message))
    return redacted(stack, STACK_MAX);
  return redacted(
    stack.replace(message, () => truncated(message)),
    STACK_MAX,
  );
}

interface Fields extends Error {
  code?: unknown;
  errors?: unknown[];
  meta?: { driverAdapterError?: { cause?: unknown } };
}

/** What was thrown without being an error; of Prisma's driver, its code and message. */
function tagOf(value: object | null): unknown {
  const { kind, originalCode, originalMessage, message } = (value ?? {}) as Record<string, unknown>;
  const words = [kind, originalCode, originalMessage ?? message].filter((word) => typeof word === "string");
  return truncated(words.join(" ") || String(value));
}

/** Returns code and message of an error and its causes, at most {@link EXTERNAL_TEXT_MAX} characters. */
export function reasonOf(error: unknown): string | undefined {
  return error === undefined ? undefined : truncated(reasonsOf(error, DEPTH));
}

function reasonsOf(error: unknown, depth: number): string {
  const { code, message, errors, cause } = (error ?? {}) as Fields;
  const gathered = errors
    ?.slice(0, ERRORS_MAX)
    .map((each) => reasonsOf(each, depth - 1))
    .join("; ");
  const words =
    [code, truncated(message || (depth > 0 && gathered) || "")].filter(Boolean).join(" ") || String(error);
  return cause === undefined || depth === 0 ? words : `${words}: ${reasonsOf(cause, depth - 1)}`;
}
