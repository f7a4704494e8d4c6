import {
  useMode as addMode,
  clampChroma,
  clampRgb,
  wcagContrast as contrastOf,
  differenceEuclidean,
  formatHex,
  modeLrgb,
  modeOklch,
  modeRgb,
  type Oklch,
} from "culori/fn";

/* Derives a brand's colours for both themes from one colour. Text contrast meets WCAG for every choice. */

export { contrastOf };

/** Colours as `#rrggbb`. */
type Shades = {
  /** Buttons and marks: at least 3:1 on every surface. */
  fill: string;
  hover: string;
  /** Text on `fill` and `hover`: at least 4.5:1. */
  foreground: string;
  soft: string;
  /** Links and text: at least 4.5:1 on every surface and on `soft`. */
  text: string;
};

/** Lowest contrast ratio of each use. */
type Contrasts = {
  fill: number;
  foreground: number;
  text: number;
};

export const THEMES = ["light", "dark"] as const;
export type ThemeName = (typeof THEMES)[number];
export type BrandPalette = Record<ThemeName, Shades & { contrast: Contrasts }>;

addMode(modeRgb);
addMode(modeLrgb);
const toOklch = addMode(modeOklch);

const distance = differenceEuclidean("rgb");
/** Clamps chroma only, except for edge colours such as white, which a rounding error puts outside sRGB. */
const hexOf = (color: Oklch) =>
  formatHex(distance(color, clampRgb(color)) < 1e-5 ? color : clampChroma(color, "oklch"));
const colour = (l: number, c: number, h: number | undefined): Oklch => ({ mode: "oklch", l, c, h });
/** The panel's surfaces (`app/globals.css`): page, card, sunken, raised. */
const SURFACES: Record<ThemeName, Oklch[]> = {
  light: [colour(0.985, 0.002, 265), colour(1, 0, 0), colour(0.965, 0.004, 265)],
  dark: [
    colour(0.175, 0.012, 265),
    colour(0.215, 0.014, 265),
    colour(0.15, 0.012, 265),
    colour(0.255, 0.016, 265),
  ],
};
const STEP = 0.01;
/** Slightly above the limits, to allow for the browser's rounding. */
const FILL = 3.02;
const TEXT = 4.55;

export function brandPalette(color: string): BrandPalette {
  return { light: shadesOf(color, "light"), dark: shadesOf(color, "dark") };
}

function shadesOf(color: string, theme: ThemeName): BrandPalette[ThemeName] {
  const { c, h, l: lightness } = toOklch(color)!;
  const step = theme === "light" ? -STEP : STEP;
  const surfaces = SURFACES[theme];
  const hexAt = (l: number, chroma = c) => hexOf(colour(clamp(l), chroma, h));
  const adjustUntil = (from: number, isEnough: (shade: string) => boolean): { l: number; hex: string } => {
    for (let l = from; ; l += step) {
      const hex = hexAt(l);
      if (isEnough(hex) || (theme === "light" ? l <= 0 : l >= 1)) return { l: clamp(l), hex };
    }
  };

  const fill = adjustUntil(lightness, (shade) => least(shade, surfaces) >= FILL);
  const foreground = contrastOf(fill.hex, "#ffffff") >= 4.5 ? "#ffffff" : "#000000";
  // Moves away from the text colour, to keep the contrast.
  const hover = hexAt(fill.l + (foreground === "#ffffff" ? -0.05 : 0.05));
  const soft = theme === "light" ? hexAt(0.955, Math.min(c, 0.02)) : hexAt(0.3, Math.min(c, 0.06));
  const text = adjustUntil(fill.l, (shade) => least(shade, [...surfaces, soft]) >= TEXT).hex;
  const contrast = {
    fill: rounded(least(fill.hex, surfaces)),
    foreground: rounded(least(foreground, [fill.hex, hover])),
    text: rounded(least(text, [...surfaces, soft])),
  };
  return { fill: fill.hex, hover, foreground, soft, text, contrast };
}

const least = (shade: string, others: Array<string | Oklch>) =>
  Math.min(...others.map((other) => contrastOf(shade, other)));
const clamp = (value: number) => Math.min(1, Math.max(0, value));
/** Rounds down: never overstates a contrast. */
const rounded = (value: number) => Math.floor(value * 100) / 100;
