/** Snippets of one library. */
export const SNIPPETS_MAX = 5000;
/** Characters of a title, of a shortcut and of a text. */
export const TITLE_MAX = 120;
export const SHORTCUT_MAX = 32;
export const BODY_MAX = 4096;

/** What makes a shortcut unique in its library: İ, I, ı and i are one letter, case does not count. */
export const shortcutKeyOf = (shortcut: string) =>
  shortcut.normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();
