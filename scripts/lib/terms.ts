import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import type { Locale } from "@/server/core/locale";

/** `messages/terms.json`: the word that each language uses for a thing of the product, and words it avoids. */
export type Termbase = Record<
  string,
  { note: string } & Record<Locale, { use: string; avoid?: readonly string[] }>
>;

/** An avoided word in a text, and the one to use. */
export interface ForbiddenWord {
  word: string;
  use: string;
}

/**
 * Returns a function that finds the avoided words of a language in an ICU message. In `avoid`, `*` stands for any
 * letters, case does not count, and `/…/` is a regular expression.
 */
export function createTermCheck(termbase: Termbase, locale: Locale): (message: string) => ForbiddenWord[] {
  const rules = Object.values(termbase).flatMap(({ [locale]: { use, avoid = [] } }) =>
    avoid.map((entry) => ({ pattern: toPattern(entry), use })),
  );
  return (message) =>
    listLiterals(compile(message)).flatMap((literal) =>
      rules.flatMap(({ pattern, use }) => (literal.match(pattern) ?? []).map((word) => ({ word, use }))),
    );
}

function toPattern(entry: string): RegExp {
  if (entry.startsWith("/")) return RegExp(entry.slice(1, -1), "gu");
  const words = entry.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const letters = words.replaceAll("*", "[\\p{L}\\p{M}]*").replaceAll(" ", "\\s+");
  // Not in names, paths and addresses such as `/api/login`.
  return RegExp(`(?<![\\p{L}\\p{M}\\p{N}_\`/.-])${letters}(?![\\p{L}\\p{M}\\p{N}_])`, "giu");
}

/** Returns the texts of a compiled message without the names of arguments, options and tags. */
function listLiterals(message: CompiledMessage): string[] {
  if (typeof message === "string") return [message];
  return message.flatMap((part) => {
    if (typeof part === "string") return [part];
    if (!Array.isArray(part)) return [];
    const [, kind, options] = part;
    if (typeof kind !== "number" || kind === 0) return listLiterals(part.slice(1) as CompiledMessage);
    return Object.values((options ?? {}) as Record<string, CompiledMessage>).flatMap(listLiterals);
  });
}
