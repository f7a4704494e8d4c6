/** What names an entry of the side menu (contract 4.9). `constructor` is one like any other: keys are data. */
const MENU_KEY = /^[a-zA-Z][a-zA-Z0-9_]{0,40}$/;

/** Labels that an account may have, and that one call may send. */
export const MAX_LABELS = 100;
/** Longest label, in code points. */
export const MAX_LABEL = 40;

export function isMenuKey(key: string): boolean {
  return MENU_KEY.test(key);
}

/** A tag; `<3` and `a < b > c` are none. */
const TAG = /<[a-z!/?][^<>]*>/gi;
/** One that is never closed. */
const OPEN_TAG = /<[a-z!/?][^<>]*/gi;
/** Controls, line separators, half characters, and what turns the direction of the text around it. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200B\u2028\u2029\u2060\uFEFF]/gu;

/**
 * A label as it is kept: without markup and control characters, trimmed, at most 40 code points. What is taken
 * away may leave a new tag behind, so it is done until nothing changes. Empty when nothing is left to be seen.
 */
export function cleanLabel(text: string): string {
  let [before, label] = ["", text];
  while (label !== before) {
    before = label;
    label = label.replace(TAG, "").replace(INVISIBLE, "").normalize("NFC");
    if (label === before) label = label.replace(OPEN_TAG, "");
  }
  const cut = [...label.trim()].slice(0, MAX_LABEL).join("").trim();
  return /[^\p{Z}\p{Cf}]/u.test(cut) ? cut : "";
}
