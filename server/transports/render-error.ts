import { type AppError, errorSpec, type FieldIssue, isAppError, refuse } from "@/server/core/errors";
import { issueText, type Words } from "@/server/core/issues";
import type { Locale } from "@/server/core/locale";
import { hasText, text } from "@/server/core/texts";
import { causeOf } from "@/server/infrastructure/database/failure";

/** Codes of PostgreSQL and of sockets that mean the database is temporarily unavailable. */
const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08006",
  "08001",
  "P1001",
  // Prisma's codes for a time limit, a closed connection, no connection or transaction available, a deadlock.
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "P2034",
  "P2037",
  "40P01",
]);
const AWAY_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|the database system is|Can't reach database|terminating connection|is not queryable/i;

/** Converts any error to an AppError; foreign errors are mapped here only. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const codes = [code, causeOf(error).originalCode].map(String);
  if (codes.some((each) => AWAY.has(each)) || AWAY_TEXT.test(String(message)))
    return refuse("busy", { retryAfter: 2, cause: error });
  return refuse("server_error", { cause: error });
}

/** Returns the documented body of an error. `technical` keeps the fixed English texts of REST (docs/contract.md 7). */
export function renderError(
  error: AppError,
  locale: Locale,
  { technical }: { technical: boolean },
): Record<string, unknown> {
  const spec = errorSpec(error.code);
  const { params = {}, issues = {} } = error.extras;
  const words =
    technical && spec.technical
      ? spec.technical.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""))
      : text(locale, `errors.${error.code}`, { ...params, ...scalars(error.fields) });
  switch (spec.shape) {
    case "validation":
      return renderValidation(issues, locale);
    case "message":
      return { message: words, ...error.fields };
    case "refusal":
      return { success: false, message: words, ...error.fields };
    default:
      return { success: false, error: words, ...error.fields };
  }
}

function scalars(fields: object): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === "string" || typeof value === "number"),
  );
}

function renderValidation(issues: Record<string, FieldIssue[]>, locale: Locale) {
  const errors: Record<string, string[]> = {};
  const words: Words = {
    has: (key) => hasText(locale, key),
    text: (key, params) => text(locale, key, params),
  };
  for (const [field, found] of Object.entries(issues))
    errors[field] = found.map((issue) => issueText(issue, field, words));
  const all = Object.values(errors).flat();
  const first = all[0] ?? text(locale, "validation.invalid", { attribute: "" });
  const more = all.length > 1 ? ` ${text(locale, "validation.more", { count: all.length - 1 })}` : "";
  return { message: first + more, errors };
}
