import leven from "leven";

/** Returns the closest of the upper-case names within two edits; within one for a short `name`. */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const limit = name.length < 8 ? 1 : 2;
  const [nearestMatch] = names
    .map((candidate) => ({ candidate, edits: leven(name.toUpperCase(), candidate) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return nearestMatch?.candidate;
}
