import type { AppError } from "./errors";
import type { Locale } from "./locale";
import { text } from "./texts";

/** What an error says to a person: its text, filled in with its parameters and the fields of its body. */
export function errorText({ code, fields, extras }: AppError, locale: Locale): string {
  const shown = Object.entries(fields as object).filter(
    ([, value]) => typeof value === "string" || typeof value === "number",
  );
  const scalars: Record<string, string | number> = Object.fromEntries(shown);
  return text(locale, `errors.${code}`, { ...extras.params, ...scalars });
}
