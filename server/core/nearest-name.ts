import leven from "leven";

/** Returns the closest name within two edits; within one for short names. */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const limit = name.length < 8 ? 1 : 2;
  const [nearestMatch] = names
    .map((each) => ({ each, edits: leven(name.toUpperCase(), each) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return nearestMatch?.each;
}
