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
const toHex = (color: Oklch) =>
  formatHex(distance(color, clampRgb(color)) < 1e-5 ? color : clampChroma(color, "oklch"));
const oklch = (l: number, c: number, h: number | undefined): Oklch => ({ mode: "oklch", l, c, h });
/** The panel's surfaces (`app/globals.css`): page, card, sunken, raised. */
const SURFACES: Record<ThemeName, Oklch[]> = {
  light: [oklch(0.985, 0.002, 265), oklch(1, 0, 0), oklch(0.965, 0.004, 265)],
  dark: [
    oklch(0.175, 0.012, 265),
    oklch(0.215, 0.014, 265),
    oklch(0.15, 0.012, 265),
    oklch(0.255, 0.016, 265),
  ],
};
const LIGHTNESS_STEP = 0.01;
/** Slightly above the limits, to allow for the browser's rounding. */
const MIN_FILL_CONTRAST = 3.02;
const MIN_TEXT_CONTRAST = 4.55;

export function buildBrandPalette(color: string): BrandPalette {
  return { light: deriveShades(color, "light"), dark: deriveShades(color, "dark") };
}

function deriveShades(color: string, theme: ThemeName): BrandPalette[ThemeName] {
  const { c, h, l: lightness } = toOklch(color)!;
  const step = theme === "light" ? -LIGHTNESS_STEP : LIGHTNESS_STEP;
  const surfaces = SURFACES[theme];
  const hexAt = (l: number, chroma = c) => toHex(oklch(clampLightness(l), chroma, h));
  const adjustUntil = (
    startLightness: number,
    isEnough: (shade: string) => boolean,
  ): { l: number; hex: string } => {
    for (let l = startLightness; ; l += step) {
      const hex = hexAt(l);
      if (isEnough(hex) || (theme === "light" ? l <= 0 : l >= 1)) return { l: clampLightness(l), hex };
    }
  };

  const fill = adjustUntil(lightness, (shade) => measureLowestContrast(shade, surfaces) >= MIN_FILL_CONTRAST);
  const foreground = contrastOf(fill.hex, "#ffffff") >= 4.5 ? "#ffffff" : "#000000";
  // Moves away from the text colour, to keep the contrast.
  const hover = hexAt(fill.l + (foreground === "#ffffff" ? -0.05 : 0.05));
  const soft = theme === "light" ? hexAt(0.955, Math.min(c, 0.02)) : hexAt(0.3, Math.min(c, 0.06));
  const text = adjustUntil(
    fill.l,
    (shade) => measureLowestContrast(shade, [...surfaces, soft]) >= MIN_TEXT_CONTRAST,
  ).hex;
  const contrast = {
    fill: roundDown(measureLowestContrast(fill.hex, surfaces)),
    foreground: roundDown(measureLowestContrast(foreground, [fill.hex, hover])),
    text: roundDown(measureLowestContrast(text, [...surfaces, soft])),
  };
  return { fill: fill.hex, hover, foreground, soft, text, contrast };
}

const measureLowestContrast = (shade: string, others: Array<string | Oklch>) =>
  Math.min(...others.map((other) => contrastOf(shade, other)));
const clampLightness = (value: number) => Math.min(1, Math.max(0, value));
/** Rounds down: never overstates a contrast. */
const roundDown = (value: number) => Math.floor(value * 100) / 100;
