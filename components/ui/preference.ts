const YEAR_SECONDS = 31_536_000;

/** Stores a preference in a cookie for the server; null deletes it. `way` is the last sign-in method. */
export function storePreference(
  name:
    | "locale"
    | "theme"
    | "menu"
    | "density"
    | "media"
    | "keys"
    | "way"
    | "checklist"
    | "setup"
    | "passkey-offer",
  value: string | null,
): void {
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  const maxAge = value === null ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
  document.cookie = `${name}=${encodeURIComponent(value ?? "")}; path=/; max-age=${maxAge}; samesite=lax${secure}`;
}

export type Theme = "light" | "dark" | "system";

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  storePreference("theme", theme === "system" ? null : theme);
}

export function parseTheme(cookie: string | undefined): Theme {
  return cookie === "light" || cookie === "dark" ? cookie : "system";
}

export function hasSingleKeyShortcuts(): boolean {
  return !/(?:^|; )keys=off(?:;|$)/.test(document.cookie);
}
