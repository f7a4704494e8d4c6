import type { AppError } from "./errors";
import type { Locale } from "./locale";
import { formatText } from "./texts";

export function formatErrorText({ code, fields, extras }: AppError, locale: Locale): string {
  const printableFields = Object.entries(fields as object).filter(
    ([, value]) => typeof value === "string" || typeof value === "number",
  );
  const scalars: Record<string, string | number> = Object.fromEntries(printableFields);
  return formatText(locale, `errors.${code}`, { ...extras.params, ...scalars });
}
