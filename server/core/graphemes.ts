/* Characters as people see them: a flag, a family or a letter with its accents is one. */

/** For browsers without `Intl.Segmenter`: flags, letters with marks, and emoji joined by U+200D. */
const GRAPHEME = /\p{RI}\p{RI}|.(?:\p{M}|\p{Emoji_Modifier}|\u200d\P{M})*/gsu;

function graphemesOf(text: string): string[] {
  if (!Intl.Segmenter) return text.match(GRAPHEME) ?? [];
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Returns the first visible character, or an empty text. */
export function firstCharacter(text: string): string {
  // Bounded: a name may be long.
  const characters = graphemesOf(text.trim().slice(0, 100));
  return (
    characters.find((each) => /[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}]/u.test(each)) ??
    characters[0] ??
    ""
  );
}

/** Returns the first characters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return firstCharacter(words[0] ?? "") + (words.length > 1 ? firstCharacter(words.at(-1) ?? "") : "");
}

/** Truncates a text to a number of code points, and cuts no character apart unless it is longer than that by itself. */
export function truncated(text: string, max: number): string {
  const points = [...text];
  if (points.length <= max) return text;
  // One more than fits, to see where the last one ends.
  const characters = graphemesOf(points.slice(0, max + 1).join("")).slice(0, -1);
  return characters.length > 0 ? characters.join("") : points.slice(0, max).join("");
}
