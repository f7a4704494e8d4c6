import type { BrandPalette } from "@/server/core/brand-colour";

const TOKENS = {
  "--primary": "fill",
  "--primary-hover": "hover",
  "--primary-fg": "foreground",
  "--primary-soft": "soft",
  "--primary-text": "text",
  "--ring": "fill",
} as const;

/** Applies saved colours to the current document; `before` are the previous ones. */
export function showColours(palette: BrandPalette | null, before: BrandPalette | null): void {
  // The platform's colours come from the document's style sheet, so removing a brand needs a reload.
  if (!palette && before) window.location.reload();
  if (palette)
    for (const [token, part] of Object.entries(TOKENS))
      document.documentElement.style.setProperty(
        token,
        `light-dark(${palette.light[part]}, ${palette.dark[part]})`,
      );
}
