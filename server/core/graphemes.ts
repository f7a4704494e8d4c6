/* Grapheme clusters: a flag, a family emoji or a letter with its accents is one character. */

/** Approximation for browsers without `Intl.Segmenter`: flags, letters with marks, emoji joined by U+200D. */
const GRAPHEME = /\p{RI}\p{RI}|.(?:\p{M}|\p{Emoji_Modifier}|\u200d\P{M})*/gsu;

function splitGraphemes(text: string): string[] {
  if (!Intl.Segmenter) return text.match(GRAPHEME) ?? [];
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Returns the first letter, digit or emoji, else the first character, or "". */
export function getFirstCharacter(text: string): string {
  const characters = splitGraphemes(text.trim().slice(0, 100));
  return (
    characters.find((each) => /[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}]/u.test(each)) ??
    characters[0] ??
    ""
  );
}

export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/);
  return getFirstCharacter(words[0] ?? "") + (words.length > 1 ? getFirstCharacter(words.at(-1) ?? "") : "");
}

/** Truncates to `max` code points without splitting a character, unless the first one alone is longer. */
export function truncateGraphemes(text: string, max: number): string {
  const codePoints = [...text];
  if (codePoints.length <= max) return text;
  // One extra code point shows where the last character ends.
  const characters = splitGraphemes(codePoints.slice(0, max + 1).join("")).slice(0, -1);
  return characters.length > 0 ? characters.join("") : codePoints.slice(0, max).join("");
}
