import { formatErrorText } from "@/server/core/error-text";
import { type AppError, createError, type FieldIssue, getErrorSpec, isAppError } from "@/server/core/errors";
import { getIssueText, type MessageSource } from "@/server/core/issues";
import type { Locale } from "@/server/core/locale";
import { formatText, hasText } from "@/server/core/texts";
import { isDatabaseUnavailable, isDiskFullError } from "@/server/infrastructure/database/error-kinds";
import { StorageError } from "@/server/infrastructure/storage/driver";

/** Converts any error to an AppError. Errors of libraries are mapped only here. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (isDiskFullError(error)) return createError("storage_full", { retryAfter: 60, cause: error });
  if (error instanceof StorageError) return createError("storage_away", { retryAfter: 10, cause: error });
  if (isDatabaseUnavailable(error)) return createError("busy", { retryAfter: 2, cause: error });
  return createError("server_error", { cause: error });
}

/** With `usesFixedText`, uses the fixed English text of a code that has one (docs/contract.md, section 7). */
export function renderError(
  error: AppError,
  locale: Locale,
  { usesFixedText }: { usesFixedText: boolean },
): Record<string, unknown> {
  const spec = getErrorSpec(error.code);
  const { params = {}, issues = {} } = error.extras;
  const message =
    usesFixedText && spec.fixedText
      ? spec.fixedText.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""))
      : formatErrorText(error, locale);
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
    text: (key, params) => formatText(locale, key, params),
  };
  for (const [field, fieldIssues] of Object.entries(issues))
    errors[field] = fieldIssues.map((issue) => getIssueText(issue, field, messages));
  const allMessages = Object.values(errors).flat();
  const firstMessage = allMessages[0] ?? formatText(locale, "validation.invalid", { attribute: "" });
  const moreText =
    allMessages.length > 1
      ? ` ${formatText(locale, "validation.more", { count: allMessages.length - 1 })}`
      : "";
  return { message: firstMessage + moreText, errors };
}
