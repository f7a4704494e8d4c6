import type { Brand } from "@/server/infrastructure/brand/brand";

/**
 * The panel's colours (`app/globals.css`) as mail programs understand them: for light and for dark readers. Everything
 * a mail paints with is here.
 */
export const PALETTE = {
  bg: ["#f9fafb", "#0e1016"],
  surface: ["#ffffff", "#161920"],
  border: ["#e1e3e7", "#2e323a"],
  fg: ["#191e28", "#eef0f4"],
  "fg-muted": ["#545965", "#abb0b9"],
  primary: ["#3655cd", "#7fa0fc"],
  "primary-fg": ["#ffffff", "#0a1023"],
  "primary-text": ["#304dc5", "#9fb9fc"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type Colour = keyof typeof PALETTE;
export type Colours = Record<Colour, readonly [light: string, dark: string]>;

/** The same under a brand's own colour. */
export function coloursOf({ palette }: Brand): Colours {
  if (!palette) return PALETTE;
  const { light, dark } = palette;
  return {
    ...PALETTE,
    primary: [light.fill, dark.fill],
    "primary-fg": [light.foreground, dark.foreground],
    "primary-text": [light.text, dark.text],
  };
}
