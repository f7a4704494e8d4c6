import { LONG_WORD, WORDS } from "../contract";

/**
 * One spelling for comparison: upper case without a locale, where i, ı, İ and I are one letter, because a Turkish
 * keyboard and a Turkish upper-case function disagree with all others about them.
 */
function folded(word: string): string {
  return word
    .normalize("NFKC")
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[iıİ]/g, "I")
    .toUpperCase()
    .normalize("NFC");
}

const ACCEPTED = new Set([...Object.values(WORDS), LONG_WORD].map(folded));

/** Whether a text is one of the words that confirm a deletion. */
export function isDeletionWord(text: string): boolean {
  return ACCEPTED.has(folded(text));
}
