import type { BrandPalette } from "@/server/core/brand-colour";

/** The same variables are set in brand-preview.tsx and app/brand.tsx. */
const SHADE_BY_VARIABLE = {
  "--primary": "fill",
  "--primary-hover": "hover",
  "--primary-fg": "foreground",
  "--primary-soft": "soft",
  "--primary-text": "text",
  "--ring": "fill",
} as const;

export function applyBrandColours(palette: BrandPalette | null, previousPalette: BrandPalette | null): void {
  // The server also rendered the old brand's colours: only a reload brings back the platform's.
  if (!palette && previousPalette) window.location.reload();
  if (palette)
    for (const [variable, shade] of Object.entries(SHADE_BY_VARIABLE))
      document.documentElement.style.setProperty(
        variable,
        `light-dark(${palette.light[shade]}, ${palette.dark[shade]})`,
      );
}
