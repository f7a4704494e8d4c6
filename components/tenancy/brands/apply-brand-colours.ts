import type { BrandPalette } from "@/server/core/brand-colour";

/** The same variables are set in brand-preview.tsx and app/brand.tsx. */
const CSS_VARIABLES = {
  "--primary": "fill",
  "--primary-hover": "hover",
  "--primary-fg": "foreground",
  "--primary-soft": "soft",
  "--primary-text": "text",
  "--ring": "fill",
} as const;

export function applyBrandColours(palette: BrandPalette | null, previous: BrandPalette | null): void {
  // The server also rendered the old brand's colours: only a reload brings back the platform's.
  if (!palette && previous) window.location.reload();
  if (palette)
    for (const [variable, part] of Object.entries(CSS_VARIABLES))
      document.documentElement.style.setProperty(
        variable,
        `light-dark(${palette.light[part]}, ${palette.dark[part]})`,
      );
}
