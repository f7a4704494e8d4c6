/** What an error's text may contain by accident, and what stands in its place. */
const SECRETS: ReadonlyArray<[RegExp, string]> = [
  // Our own tokens and keys keep their kind.
  [/\b(ds[a-z])_[0-9A-Za-z]+/g, "$1_…"],
  // Access to a bot, which stands in the address of its calls.
  [/(?<!\d)\d{5,}:[\w-]{20,}/g, "…"],
  // What an address carries as a secret, to its end or to the next field.
  [/\b((?:access_|refresh_|bot_)?(?:token|secret|password))=[^\s&"'<>]+/gi, "$1=…"],
  // Signed tokens of identity providers.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "eyJ…"],
  // The password in the address of a database, a mail server or Redis; one with an @ ends at the last.
  [/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@"']*(?:@[^\s/@"']*)*@(?=[^\s@])/gi, "$1…@"],
  [/[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, "…@…"],
];

/** Returns a text without tokens, passwords in addresses, and mail addresses. */
export function redacted(text: unknown): unknown {
  if (typeof text !== "string") return text;
  return SECRETS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}

/** Longer chains of causes are cut: one may lead back to itself. */
const DEPTH = 5;

/**
 * An error as the log shows it: name, code, message and stack, those of its causes, and of the errors that it
 * gathers. Other fields are left out, because drivers keep values of rows there.
 */
export function described(error: unknown, depth = DEPTH): unknown {
  if (!(error instanceof Error)) return redacted(typeof error === "object" ? tagOf(error) : error);
  const { name, code, message, stack, cause, errors, meta } = error as Fields;
  const beneath = cause ?? meta?.driverAdapterError?.cause;
  return {
    name,
    code,
    message: redacted(message),
    stack: redacted(stack),
    ...(beneath !== undefined && depth > 0 && { cause: described(beneath, depth - 1) }),
    ...(errors?.length && depth > 0 && { errors: errors.map((each) => described(each, depth - 1)) }),
  };
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
  return words.join(" ") || String(value);
}

/** The first words of an error and of what caused it, for a line without a stack. */
export function reasonOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const { code, message, errors, cause } = error as Fields;
  const words =
    [code, message || errors?.map(reasonOf).join("; ")].filter(Boolean).join(" ") || String(error);
  return cause === undefined ? words : `${words}: ${reasonOf(cause)}`;
}
