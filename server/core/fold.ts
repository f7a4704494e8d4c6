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

/** Letters of a word that an index has entries for. */
const INDEXED = 3;

/**
 * How a word is found in a large table, as conditions of which one must hold: anywhere, and one of less letters than the
 * index has entries for where a word begins.
 */
export function beginsOrHas(word: string): Array<{ startsWith: string } | { contains: string }> {
  const part = escaped(word);
  return [...word].length < INDEXED ? [{ startsWith: part }, { contains: ` ${part}` }] : [{ contains: part }];
}

/** Several words as patterns of `like`. */
export interface Patterns {
  /** What an index is asked for: the two longest. */
  first: string;
  second: string;
  /** All of them, in a text that begins with a space. */
  others: string[];
}

/** The patterns of several words; undefined where an index has entries for less than two of them, which it would not narrow. */
export function patternsOf(words: readonly string[]): Patterns | undefined {
  const [first, second] = words
    .filter((word) => [...word].length >= INDEXED)
    .sort((a, b) => b.length - a.length)
    .map((word) => `%${escaped(word)}%`);
  if (!first || !second) return undefined;
  const others = words.map((word) => `%${[...word].length < INDEXED ? " " : ""}${escaped(word)}%`);
  return { first, second, others };
}
