/** Returns the name that a misspelt one probably means: at most two typing errors away, one in a short name. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const limit = name.length < 8 ? 1 : 2;
  const [best] = names
    .map((each) => ({ each, errors: typingErrors(name.toUpperCase(), each) }))
    .filter(({ errors }) => errors <= limit)
    .sort((a, b) => a.errors - b.errors);
  return best?.each;
}

/** Counts inserted, missing, wrong and swapped characters: the optimal string alignment distance. */
function typingErrors(from: string, to: string): number {
  const rows: number[][] = [[...Array(to.length + 1).keys()]];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
