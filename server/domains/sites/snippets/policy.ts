export const SNIPPETS_MAX = 5000;
export const TITLE_LENGTH_MAX = 120;
export const SHORTCUT_LENGTH_MAX = 32;
export const BODY_LENGTH_MAX = 4096;

/** Returns the key that makes a shortcut unique, ignoring case; İ, I, ı and i are equal. */
export const toShortcutKey = (shortcut: string) =>
  shortcut.normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();
