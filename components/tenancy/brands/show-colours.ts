import type { BrandPalette } from "@/server/core/brand-colour";

const TOKENS = {
  "--primary": "fill",
  "--primary-hover": "hover",
  "--primary-fg": "foreground",
  "--primary-soft": "soft",
  "--primary-text": "text",
  "--ring": "fill",
} as const;

/** The page in colours that were just saved, until it is loaded with them; `before` are those that it has. */
export function showColours(palette: BrandPalette | null, before: BrandPalette | null): void {
  // The platform's own colours are below those of the page's style: only a new document shows them.
  if (!palette && before) window.location.reload();
  if (palette)
    for (const [token, part] of Object.entries(TOKENS))
      document.documentElement.style.setProperty(
        token,
        `light-dark(${palette.light[part]}, ${palette.dark[part]})`,
      );
}
