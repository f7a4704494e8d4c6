import type { Locale } from "@/server/core/locale";
import { findRawText } from "@/server/core/texts";

const ARGUMENT = /\{(\w+)(?:, number)?\}/;

/** Returns a pattern for a message: the given arguments must match, all others may be anything. Without plurals. */
export function toTextPattern(
  key: string,
  values: Record<string, string> = {},
  locale: Locale = "en",
): RegExp {
  const text = findRawText(locale, key);
  if (text === undefined) throw new Error(`no message ${key}`);
  const source = text
    .split(ARGUMENT)
    .map((part, index) => {
      if (index % 2 === 0) return escapePattern(part);
      return part in values ? escapePattern(values[part]!) : ".+?";
    })
    .join("");
  return RegExp(source, "u");
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
