import type { BrandPalette } from "@/server/core/brand-colour";

/** The preview in brand-preview.tsx sets the same variables. */
const CSS_VARIABLES = {
  "--primary": "fill",
  "--primary-hover": "hover",
  "--primary-fg": "foreground",
  "--primary-soft": "soft",
  "--primary-text": "text",
  "--ring": "fill",
} as const;

export function applyBrandColours(palette: BrandPalette | null, previous: BrandPalette | null): void {
  // The platform's colours come from the document's style sheet, so removing a brand needs a reload.
  if (!palette && previous) window.location.reload();
  if (palette)
    for (const [variable, part] of Object.entries(CSS_VARIABLES))
      document.documentElement.style.setProperty(
        variable,
        `light-dark(${palette.light[part]}, ${palette.dark[part]})`,
      );
}
