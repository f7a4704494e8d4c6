import { LONG_WORD, WORDS } from "../contract";

/**
 * Folds a word for comparison: upper case without a locale, with i, ı, İ and I as one letter, because Turkish
 * keyboards and case rules treat them differently from all others.
 */
function folded(word: string): string {
  return word
    .normalize("NFKC")
    .trim()
    .replace(/\s+/g, " ")
    .replace(/i\u0307|[iıİ]/g, "I")
    .toUpperCase()
    .normalize("NFC");
}

const ACCEPTED = new Set([...Object.values(WORDS), LONG_WORD].map(folded));

/** Whether a text is one of the words that confirm a deletion. */
export function isDeletionWord(text: string): boolean {
  return ACCEPTED.has(folded(text));
}
