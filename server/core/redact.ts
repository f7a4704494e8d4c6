/* Error texts are untrusted. Lookbehinds let a pattern start once per run of characters: linear time. */

const SECRET_PATTERNS: ReadonlyArray<[RegExp, string]> = [
  // Our tokens and keys; the prefix shows the kind.
  [/\b(ds[a-z])_[0-9A-Za-z]+/g, "$1_…"],
  // Telegram bot tokens, which are part of the URL.
  [/(?<!\d)\d{5,}:[\w-]{20,}/g, "…"],
  [/\b((?:access_|refresh_|bot_)?(?:token|secret|password))=[^\s&"'<>]+/gi, "$1=…"],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, "eyJ…"],
  // Credentials in URLs; a password may contain @, so match up to the last one.
  [/:\/\/[^\s/@"']*(?:@[^\s/@"']*)*@(?=[^\s@])/g, "://…@"],
  [/(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, "…@…"],
];

const MAX_EXTERNAL_TEXT_LENGTH = 2000;

const MAX_STACK_LENGTH = 8000;

export function truncateText(text: string, max = MAX_EXTERNAL_TEXT_LENGTH): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Removes tokens, URL passwords and email addresses from a text and truncates it. */
export function redactText(text: unknown, max = MAX_EXTERNAL_TEXT_LENGTH): unknown {
  if (typeof text !== "string") return text;
  return SECRET_PATTERNS.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    truncateText(text, max),
  );
}

/** Maximum depth of `cause` chains, which may be circular. */
const MAX_CAUSE_DEPTH = 5;
const MAX_ERRORS = 10;

/** Serialises an error with its causes for the log, without other fields, where drivers put row values. */
export function serializeError(error: unknown, depth = MAX_CAUSE_DEPTH): unknown {
  if (!(error instanceof Error))
    return redactText(typeof error === "object" ? describeThrownValue(error) : error);
  const { name, code, message, cause, errors, meta } = error as ErrorFields;
  const innerCause = cause ?? meta?.driverAdapterError?.cause;
  return {
    name,
    code,
    message: redactText(message),
    stack: redactStack(error),
    ...(innerCause !== undefined && depth > 0 && { cause: serializeError(innerCause, depth - 1) }),
    ...(errors?.length &&
      depth > 0 && { errors: errors.slice(0, MAX_ERRORS).map((each) => serializeError(each, depth - 1)) }),
  };
}

/** Truncates the message inside the stack, so that it does not push out the frames. */
function redactStack({ message, stack }: Error): unknown {
  if (!stack || message.length <= MAX_EXTERNAL_TEXT_LENGTH || !stack.includes(message))
    return redactText(stack, MAX_STACK_LENGTH);
  return redactText(
    stack.replace(message, () => truncateText(message)),
    MAX_STACK_LENGTH,
  );
}

interface ErrorFields extends Error {
  code?: unknown;
  errors?: unknown[];
  meta?: { driverAdapterError?: { cause?: unknown } };
}

/** Describes a thrown value that is not an Error; for Prisma's driver its code and message. */
function describeThrownValue(value: object | null): unknown {
  const { kind, originalCode, originalMessage, message } = (value ?? {}) as Record<string, unknown>;
  const parts = [kind, originalCode, originalMessage ?? message].filter((word) => typeof word === "string");
  return truncateText(parts.join(" ") || String(value));
}

/** Returns codes and messages of an error and its causes, in at most {@link MAX_EXTERNAL_TEXT_LENGTH} characters. */
export function getErrorReason(error: unknown): string | undefined {
  return error === undefined ? undefined : truncateText(describeError(error, MAX_CAUSE_DEPTH));
}

function describeError(error: unknown, depth: number): string {
  const { code, message, errors, cause } = (error ?? {}) as ErrorFields;
  const innerText = errors
    ?.slice(0, MAX_ERRORS)
    .map((each) => describeError(each, depth - 1))
    .join("; ");
  const parts =
    [code, truncateText(message || (depth > 0 && innerText) || "")].filter(Boolean).join(" ") ||
    String(error);
  return cause === undefined || depth === 0 ? parts : `${parts}: ${describeError(cause, depth - 1)}`;
}
