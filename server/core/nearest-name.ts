import leven from "leven";

/** Returns the closest name within two edits; within one for short names. */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const limit = name.length < 8 ? 1 : 2;
  const [best] = names
    .map((each) => ({ each, errors: leven(name.toUpperCase(), each) }))
    .filter(({ errors: edits }) => edits <= limit)
    .sort((a, b) => a.errors - b.errors);
  return best?.each;
}
