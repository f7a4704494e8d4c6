import leven from "leven";

/** Returns the name that a misspelt one probably means: at most two typing errors away, one in a short name. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const limit = name.length < 8 ? 1 : 2;
  const [best] = names
    .map((each) => ({ each, errors: leven(name.toUpperCase(), each) }))
    .filter(({ errors }) => errors <= limit)
    .sort((a, b) => a.errors - b.errors);
  return best?.each;
}
