import { LONG_WORD, WORDS } from "../contract";

/** Upper case without a locale, with i, ı, İ and I as one letter: Turkish case rules differ. */
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

export function isDeletionWord(text: string): boolean {
  return ACCEPTED.has(folded(text));
}
