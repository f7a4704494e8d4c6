import type { AppError } from "./errors";
import type { Locale } from "./locale";
import { text } from "./texts";

export function errorText({ code, fields, extras }: AppError, locale: Locale): string {
  const printableFields = Object.entries(fields as object).filter(
    ([, value]) => typeof value === "string" || typeof value === "number",
  );
  const scalars: Record<string, string | number> = Object.fromEntries(printableFields);
  return text(locale, `errors.${code}`, { ...extras.params, ...scalars });
}
