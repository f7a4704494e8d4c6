/** Normalises text for search: ş = s, é = e, İ = I = ı = i. Columns store it: a change needs a migration. */
export function foldText(text: string): string {
  return text.replace(/[İIı]/g, "i").toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}

export function splitIntoWords(query: string | null | undefined): string[] {
  return foldText(query ?? "")
    .split(/\s+/)
    .filter(Boolean);
}

export const escapeLike = (word: string) => word.replace(/[\\%_]/g, "\\$&");

/** Characters of the shortest word that the trigram index finds. */
const MIN_INDEXED_LENGTH = 3;

/** Returns alternative conditions that find a word anywhere, or at word starts if too short for the index. */
export function buildWordConditions(word: string): Array<{ startsWith: string } | { contains: string }> {
  const part = escapeLike(word);
  return [...word].length < MIN_INDEXED_LENGTH
    ? [{ startsWith: part }, { contains: ` ${part}` }]
    : [{ contains: part }];
}

export interface LikePatterns {
  longest: string;
  secondLongest: string;
  /** All words; the searched text must be prefixed with a space. */
  allPatterns: string[];
}

/** Returns the patterns of several words; undefined if fewer than two are long enough for the index. */
export function buildLikePatterns(words: readonly string[]): LikePatterns | undefined {
  const [longestPattern, secondLongestPattern] = words
    .filter((word) => [...word].length >= MIN_INDEXED_LENGTH)
    .sort((a, b) => b.length - a.length)
    .map((word) => `%${escapeLike(word)}%`);
  if (!longestPattern || !secondLongestPattern) return undefined;
  const allPatterns = words.map(
    (word) => `%${[...word].length < MIN_INDEXED_LENGTH ? " " : ""}${escapeLike(word)}%`,
  );
  return { longest: longestPattern, secondLongest: secondLongestPattern, allPatterns };
}
