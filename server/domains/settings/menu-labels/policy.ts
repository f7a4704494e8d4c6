/** Key of a side menu entry (docs/contract.md 4.9). `constructor` is valid like any other: keys are data. */
const MENU_KEY = /^[a-zA-Z][a-zA-Z0-9_]{0,40}$/;

/** Maximum number of labels of an account, and of one call. */
export const MAX_LABELS = 100;
/** Longest label, in code points. */
export const MAX_LABEL = 40;

export function isMenuKey(key: string): boolean {
  return MENU_KEY.test(key);
}

/** A tag; `<3` and `a < b > c` are not tags. */
const TAG = /<[a-z!/?][^<>]*>/gi;
/** A tag that is never closed. */
const OPEN_TAG = /<[a-z!/?][^<>]*/gi;
/**
 * Control characters, line separators, lone surrogates, and bidirectional controls that would affect the surrounding
 * text.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200B\u2028\u2029\u2060\uFEFF]/gu;

/**
 * Returns a label as it is stored: without markup and control characters, trimmed, at most 40 code points. Removing
 * characters may form a new tag, so the steps repeat until nothing changes. Empty when nothing visible is left.
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
