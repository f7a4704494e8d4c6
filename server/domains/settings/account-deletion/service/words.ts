import { DELETION_WORDS, LONG_DELETION_WORD } from "../contract";

/** Upper-cases without a locale and treats i, ı, İ and I as one letter: Turkish case rules differ. */
function foldWord(word: string): string {
  return word
    .normalize("NFKC")
    .trim()
    .replace(/\s+/g, " ")
    .replace(/i\u0307|[iıİ]/g, "I")
    .toUpperCase()
    .normalize("NFC");
}

const ACCEPTED_WORDS = new Set([...Object.values(DELETION_WORDS), LONG_DELETION_WORD].map(foldWord));

export function isDeletionWord(text: string): boolean {
  return ACCEPTED_WORDS.has(foldWord(text));
}
