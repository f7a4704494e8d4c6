export interface Findable {
  /** Name and path; matches here rank first. */
  head: string;
  rest: string;
  fields?: readonly string[];
}

const CLOSEST_COUNT = 3;

const fold = (text: string) => text.toLocaleLowerCase("en").normalize("NFKD").replace(/\p{M}/gu, "");
const splitWords = (text: string) => fold(text).split(/\s+/).filter(Boolean);

/** Returns the entries that contain every word, with their matching fields; matches in `head` first. */
export function findMatches<T extends Findable>(
  entries: readonly T[],
  query: string,
): Array<{ entry: T; fields: string[] }> {
  const words = splitWords(query);
  const matches = entries.flatMap((entry) => {
    const head = fold(entry.head);
    const matchesHead = words.every((word) => head.includes(word));
    const fieldNames = entry.fields ?? [];
    const text = `${head} ${fold(entry.rest)} ${fold(fieldNames.join(" "))}`;
    if (!matchesHead && !words.every((word) => text.includes(word))) return [];
    const fields = matchesHead
      ? []
      : fieldNames.filter((name) => words.some((word) => fold(name).includes(word)));
    return [{ entry, fields: [...new Set(fields)], matchesHead }];
  });
  return matches.toSorted((a, b) => Number(b.matchesHead) - Number(a.matchesHead));
}

/** Returns the most similar entries by shared letter pairs, for queries without a match. */
export function findClosest<T extends Findable>(entries: readonly T[], query: string): T[] {
  const queryPairs = splitWords(query).map(getLetterPairs);
  const scoredEntries = entries.map((entry) => {
    const words = fold(`${entry.head} ${(entry.fields ?? []).join(" ")}`).split(/[^\p{L}\p{N}]+/u);
    const wordPairs = [...new Set(words)].filter(Boolean).map(getLetterPairs);
    const score = queryPairs.reduce(
      (sum, pairs) => sum + Math.max(0, ...wordPairs.map((each) => getSimilarity(pairs, each))),
      0,
    );
    return { entry, score };
  });
  return scoredEntries
    .toSorted((a, b) => b.score - a.score)
    .slice(0, CLOSEST_COUNT)
    .map(({ entry }) => entry);
}

function getLetterPairs(word: string): Set<string> {
  const paddedWord = ` ${word} `;
  return new Set(Array.from({ length: paddedWord.length - 1 }, (_, at) => paddedWord.slice(at, at + 2)));
}

function getSimilarity(a: Set<string>, b: Set<string>): number {
  const sharedCount = [...a].filter((pair) => b.has(pair)).length;
  return (2 * sharedCount) / (a.size + b.size);
}
