export interface Findable {
  /** Name and path of the operation, or title of the guide. Matches here rank first. */
  head: string;
  rest: string;
  fields?: readonly string[];
}

const CLOSEST_COUNT = 3;

const fold = (text: string) => text.toLocaleLowerCase("en").normalize("NFKD").replace(/\p{M}/gu, "");
const splitWords = (text: string) => fold(text).split(/\s+/).filter(Boolean);
/** Splits `createSite POST /api/sites` into the whole names and into `create`, `site`, `api` and `sites`. */
const splitHead = (text: string) => [
  ...splitWords(text),
  ...fold(text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean),
];

/** Returns the entries that contain every word, with their matching fields. Names and paths rank first. */
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
    return [{ entry, fields: [...new Set(fields)], rank: rankEntry(entry, words) }];
  });
  return matches.toSorted((a, b) => b.rank - a.rank || a.entry.head.length - b.entry.head.length);
}

/** Counts 4 for each word of the head, 3 for the beginning of one, and 1 inside a word or for a field. */
function rankEntry({ head, fields = [] }: Findable, words: readonly string[]): number {
  const headWords = splitHead(head);
  const rankWord = (word: string) => {
    if (headWords.includes(word)) return 4;
    if (headWords.some((each) => each.startsWith(word))) return 3;
    return fold(head).includes(word) || fields.includes(word) ? 1 : 0;
  };
  return words.reduce((sum, word) => sum + rankWord(word), 0);
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
