import { errorText } from "@/server/core/error-text";
import { type AppError, type FieldIssue, getErrorSpec, isAppError, refuse } from "@/server/core/errors";
import { issueText, type MessageSource } from "@/server/core/issues";
import type { Locale } from "@/server/core/locale";
import { hasText, text } from "@/server/core/texts";
import { isDiskFull, isUnavailable } from "@/server/infrastructure/database/failure";
import { StorageError } from "@/server/infrastructure/storage/driver";

/** Converts any error to an AppError. Errors of libraries are mapped only here. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (isDiskFull(error)) return refuse("storage_full", { retryAfter: 60, cause: error });
  if (error instanceof StorageError) return refuse("storage_away", { retryAfter: 10, cause: error });
  if (isUnavailable(error)) return refuse("busy", { retryAfter: 2, cause: error });
  return refuse("server_error", { cause: error });
}

/** `technical` keeps REST's fixed English texts (docs/contract.md, section 7). */
export function renderError(
  error: AppError,
  locale: Locale,
  { technical }: { technical: boolean },
): Record<string, unknown> {
  const spec = getErrorSpec(error.code);
  const { params = {}, issues = {} } = error.extras;
  const message =
    technical && spec.technical
      ? spec.technical.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""))
      : errorText(error, locale);
  switch (spec.shape) {
    case "validation":
      return renderValidation(issues, locale);
    case "message":
      return { message, ...error.fields };
    case "refusal":
      return { success: false, message, ...error.fields };
    default:
      return { success: false, error: message, ...error.fields };
  }
}

function renderValidation(issues: Record<string, FieldIssue[]>, locale: Locale) {
  const errors: Record<string, string[]> = {};
  const messages: MessageSource = {
    has: (key) => hasText(locale, key),
    text: (key, params) => text(locale, key, params),
  };
  for (const [field, fieldIssues] of Object.entries(issues))
    errors[field] = fieldIssues.map((issue) => issueText(issue, field, messages));
  const allMessages = Object.values(errors).flat();
  const firstMessage = allMessages[0] ?? text(locale, "validation.invalid", { attribute: "" });
  const moreText =
    allMessages.length > 1 ? ` ${text(locale, "validation.more", { count: allMessages.length - 1 })}` : "";
  return { message: firstMessage + moreText, errors };
}
