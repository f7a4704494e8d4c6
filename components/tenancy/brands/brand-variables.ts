import type { BrandPalette, ThemeName } from "@/server/core/brand-colour";

/** Returns the variables of `app/globals.css` that a brand's shades for one theme replace. */
export function buildBrandVariables({
  fill,
  hover,
  border,
  foreground,
  soft,
  text,
}: BrandPalette[ThemeName]): Record<`--${string}`, string> {
  return {
    "--primary": fill,
    "--primary-hover": hover,
    "--primary-border": border === fill ? "transparent" : border,
    "--primary-mark": border,
    "--primary-fg": foreground,
    "--primary-soft": soft,
    "--primary-text": text,
    "--ring": border,
  };
}

/** Returns the variables for both themes. */
export function buildThemedVariables({ light, dark }: BrandPalette): Record<`--${string}`, string> {
  const darkVariables = buildBrandVariables(dark);
  return Object.fromEntries(
    Object.entries(buildBrandVariables(light)).map(([name, value]) => [
      name,
      `light-dark(${value},${darkVariables[name as keyof typeof darkVariables]})`,
    ]),
  );
}
