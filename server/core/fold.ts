/**
 * A text as searches compare it: İ, I, ı and i are one letter, case and marks do not count (ş is s, é is e). What is
 * searched is stored folded, so a stored text changes its meaning when this function does.
 */
export function fold(text: string): string {
  return text.replace(/[İIı]/g, "i").toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}

/** The words that somebody searches for, folded; a match has all of them. */
export function searchWords(query: string | null | undefined): string[] {
  return fold(query ?? "")
    .split(/\s+/)
    .filter(Boolean);
}

/** A word as a part of a pattern of `like`, where `%` and `_` would mean any text. */
export const escaped = (word: string) => word.replace(/[\\%_]/g, "\\$&");

/**
 * How a word is found in a large table, as conditions of which one must hold: anywhere, and one of less than three
 * letters, for which the index has no entry, where a word begins.
 */
export function beginsOrHas(word: string): Array<{ startsWith: string } | { contains: string }> {
  const part = escaped(word);
  return [...word].length < 3 ? [{ startsWith: part }, { contains: ` ${part}` }] : [{ contains: part }];
}
