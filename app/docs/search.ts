export interface Findable {
  /** Name and path; matches here rank first. */
  head: string;
  rest: string;
  fields?: readonly string[];
}

const NEAREST = 3;

const fold = (text: string) => text.toLocaleLowerCase("en").normalize("NFKD").replace(/\p{M}/gu, "");
const wordsOf = (text: string) => fold(text).split(/\s+/).filter(Boolean);

/** Returns the entries that contain every word, with their matching fields; matches in `head` first. */
export function findMatches<T extends Findable>(
  all: readonly T[],
  query: string,
): Array<{ entry: T; fields: string[] }> {
  const words = wordsOf(query);
  const matches = all.flatMap((entry) => {
    const head = fold(entry.head);
    const byHead = words.every((word) => head.includes(word));
    const names = entry.fields ?? [];
    const text = `${head} ${fold(entry.rest)} ${fold(names.join(" "))}`;
    if (!byHead && !words.every((word) => text.includes(word))) return [];
    const fields = byHead ? [] : names.filter((name) => words.some((word) => fold(name).includes(word)));
    return [{ entry, fields: [...new Set(fields)], byHead }];
  });
  return matches.toSorted((a, b) => Number(b.byHead) - Number(a.byHead));
}

/** Returns the three most similar entries, measured by shared letter pairs. For queries without a match. */
export function findClosest<T extends Findable>(all: readonly T[], query: string): T[] {
  const queryPairs = wordsOf(query).map(pairsOf);
  const scored = all.map((entry) => {
    const words = fold(`${entry.head} ${(entry.fields ?? []).join(" ")}`).split(/[^\p{L}\p{N}]+/u);
    const wordPairs = [...new Set(words)].filter(Boolean).map(pairsOf);
    const score = queryPairs.reduce(
      (sum, pairs) => sum + Math.max(0, ...wordPairs.map((each) => similarity(pairs, each))),
      0,
    );
    return { it: entry, score };
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, NEAREST)
    .map(({ it }) => it);
}

function pairsOf(word: string): Set<string> {
  const framed = ` ${word} `;
  return new Set(Array.from({ length: framed.length - 1 }, (_, at) => framed.slice(at, at + 2)));
}

function similarity(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / (a.size + b.size);
}
