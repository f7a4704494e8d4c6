const YEAR = 31_536_000;

/**
 * Stores a preference of this browser in a cookie that the server reads. `media` is how files are shown, `way` the last way
 * in; `checklist` and `passkey-offer` are cards that were hidden.
 */
export function remember(
  name: "locale" | "theme" | "menu" | "density" | "media" | "keys" | "way" | "checklist" | "passkey-offer",
  value: string | null,
): void {
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  const life = value === null ? 0 : YEAR;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
  document.cookie = `${name}=${encodeURIComponent(value ?? "")}; path=/; max-age=${life}; samesite=lax${secure}`;
}

export type Theme = "light" | "dark" | "system";

/** Applies the theme and stores it; "system" sets no attribute. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember("theme", theme === "system" ? null : theme);
}

/** Returns the theme of a cookie; anything else is "system". */
export function themeOf(cookie: string | undefined): Theme {
  return cookie === "light" || cookie === "dark" ? cookie : "system";
}

/** Whether single keys, such as `g` and a letter, lead through the panel; this browser may have them switched off. */
export function singleKeys(): boolean {
  return !/(?:^|; )keys=off(?:;|$)/.test(document.cookie);
}
