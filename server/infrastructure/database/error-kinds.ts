interface DriverCause {
  originalCode?: string;
  originalMessage?: string;
  constraint?: { index?: string };
}

function getDriverCause(error: unknown): DriverCause {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: DriverCause } } };
  return meta?.driverAdapterError?.cause ?? {};
}

/** Tests for a violated unique index on `column`. Check it outside of the transaction, which has ended. */
export function isUniqueViolation(error: unknown, column: string): boolean {
  const { code } = error as { code?: string };
  return code === "P2002" && Boolean(getDriverCause(error).constraint?.index?.endsWith(`_${column}_key`));
}

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === "55P03";
}

/** SQLSTATEs of temporary failures: connection, resources (but disk_full), shutdown, timeouts, conflicts. */
const UNAVAILABLE_SQLSTATES = /^(08...|53[^1]..|57P0.|57014|55P03|40001|40P01)$/;

/** Codes of sockets, and of Prisma for timeouts, closed or missing connections and deadlocks. */
const UNAVAILABLE_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034", "P2037"],
]);

/** The driver's errors have no code. */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|Connection ended|timeout (exceeded|expired)|the database system is|Can't reach database|terminating connection|is not queryable|Cannot use a pool after/i;

const DISK_FULL_CODES = new Set(["53100", "ENOSPC", "EDQUOT"]);

/** Tests for a temporary failure: the database is unreachable, stopping, hanging or out of connections. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return anyErrorMatches(
    error,
    ({ code, text }) =>
      UNAVAILABLE_CODES.has(code) || UNAVAILABLE_SQLSTATES.test(code) || UNAVAILABLE_MESSAGES.test(text),
  );
}

export function isDiskFullError(error: unknown): boolean {
  return anyErrorMatches(error, ({ code }) => DISK_FULL_CODES.has(code));
}

function anyErrorMatches(
  error: unknown,
  predicate: (each: { code: string; text: string }) => boolean,
  depth = 5,
): boolean {
  if (typeof error !== "object" || error === null || depth === 0) return false;
  const { code, message, cause, errors } = error as {
    code?: unknown;
    message?: unknown;
    cause?: unknown;
    errors?: unknown[];
  };
  if (predicate({ code: String(code), text: String(message) })) return true;
  const { originalCode, originalMessage } = getDriverCause(error);
  if (predicate({ code: String(originalCode), text: String(originalMessage) })) return true;
  return [cause, ...(Array.isArray(errors) ? errors : [])].some((each) =>
    anyErrorMatches(each, predicate, depth - 1),
  );
}
