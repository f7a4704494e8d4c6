export const SNIPPETS_MAX = 5000;
export const TITLE_MAX = 120;
export const SHORTCUT_MAX = 32;
export const BODY_MAX = 4096;

/** Key that makes a shortcut unique in its library, without case; İ, I, ı and i are equal. */
export const shortcutKeyOf = (shortcut: string) =>
  shortcut.normalize("NFKC").replace(/[İIı]/g, "i").toLowerCase();
