interface Cause {
  /** PostgreSQL's own error code. */
  originalCode?: string;
  originalMessage?: string;
  constraint?: { index?: string };
}

/** Returns what the driver reported beneath a Prisma error, or an empty cause for any other error. */
function causeOf(error: unknown): Cause {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Cause } } };
  return meta?.driverAdapterError?.cause ?? {};
}

/**
 * Whether a write of Prisma's failed because the value is taken. `column` is the last part of the unique index's
 * name: `email_key` of `users_email_key_key`. Check it outside the transaction, which the error has ended.
 */
export function isTaken(error: unknown, column: string): boolean {
  const { code } = error as { code?: string };
  return code === "P2002" && Boolean(causeOf(error).constraint?.index?.endsWith(`_${column}_key`));
}

/** Whether a statement gave up waiting for a lock, by `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === "55P03";
}

/** Classes of PostgreSQL's codes: connection, resources (but disk_full), operator, and what a second try may pass. */
const AWAY_SQL = /^(08...|53[^1]..|57P0.|57014|55P03|40001|40P01)$/;

/** Of sockets; and Prisma's for a time limit, a closed connection, none to be had, a deadlock. */
const AWAY = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034", "P2037"],
]);

/** The driver's own errors have no code. */
const AWAY_TEXT =
  /Connection terminated|Connection ended|timeout (exceeded|expired)|the database system is|Can't reach database|terminating connection|is not queryable|Cannot use a pool after/i;

const DISK_FULL = new Set(["53100", "ENOSPC", "EDQUOT"]);

/** Whether the database is away, dying, frozen or full of others, so that a second try may pass. */
export function isAway(error: unknown): boolean {
  return anyOf(error, ({ code, text }) => AWAY.has(code) || AWAY_SQL.test(code) || AWAY_TEXT.test(text));
}

/** Whether nothing can be stored, by the database or as a file. */
export function isDiskFull(error: unknown): boolean {
  return anyOf(error, ({ code }) => DISK_FULL.has(code));
}

/** Whether it is true of an error, of what it gathers, or of what caused it. */
function anyOf(error: unknown, fits: (each: { code: string; text: string }) => boolean, depth = 5): boolean {
  if (typeof error !== "object" || error === null || depth === 0) return false;
  const { code, message, cause, errors } = error as {
    code?: unknown;
    message?: unknown;
    cause?: unknown;
    errors?: unknown[];
  };
  if (fits({ code: String(code), text: String(message) })) return true;
  const { originalCode, originalMessage } = causeOf(error);
  if (fits({ code: String(originalCode), text: String(originalMessage) })) return true;
  return [cause, ...(Array.isArray(errors) ? errors : [])].some((each) => anyOf(each, fits, depth - 1));
}
