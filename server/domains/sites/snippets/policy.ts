export const SNIPPETS_MAX = 5000;
export const TITLE_LENGTH_MAX = 120;
export const SHORTCUT_LENGTH_MAX = 32;
export const BODY_LENGTH_MAX = 4096;

/** Returns the stored key by which shortcuts are compared. Ignores case; İ, I, ı and i are equal. */
export const toShortcutKey = (shortcut: string) =>
  shortcut.normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();
