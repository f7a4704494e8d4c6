import type { BrandPalette } from "@/server/core/brand-colour";
import { buildThemedVariables } from "./brand-variables";

export function applyBrandColours(palette: BrandPalette | null, previousPalette: BrandPalette | null): void {
  // The server also rendered the old brand's colours: only a reload brings back the platform's.
  if (!palette && previousPalette) window.location.reload();
  if (palette)
    for (const [variable, value] of buildThemedVariables(palette))
      document.documentElement.style.setProperty(variable, value);
}
