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
  /** The chosen colour, on buttons, switches and radio buttons. */
  fill: string;
  hover: string;
  /** Edge of `fill`, focus ring and marks: at least 3:1 on every surface. Equals `fill` if that suffices. */
  border: string;
  /** Text on `fill` and `hover`: at least 4.5:1. */
  foreground: string;
  soft: string;
  /** Links and text: at least 4.5:1 on every surface and on `soft`. */
  text: string;
};

type Contrasts = {
  fill: number;
  border: number;
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
const HOVER_STEP = 0.05;
/** Slightly above the limits, to allow for the browser's rounding. */
const MIN_BORDER_CONTRAST = 3.02;
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

  const fill = color.toLowerCase();
  const foreground = contrastOf(fill, "#ffffff") >= MIN_TEXT_CONTRAST ? "#ffffff" : "#000000";
  // Moves away from the text colour, to keep the contrast. Black and white leave no room there.
  const hover = hexAt(
    foreground === "#ffffff"
      ? lightness + (lightness < 0.2 ? 3 * HOVER_STEP : -HOVER_STEP)
      : lightness + (lightness > 1 - HOVER_STEP ? -HOVER_STEP : HOVER_STEP),
  );
  const border = adjustUntil(
    lightness,
    (shade) => measureLowestContrast(shade, surfaces) >= MIN_BORDER_CONTRAST,
  );
  const soft = theme === "light" ? hexAt(0.955, Math.min(c, 0.02)) : hexAt(0.3, Math.min(c, 0.06));
  const text = adjustUntil(
    border.l,
    (shade) => measureLowestContrast(shade, [...surfaces, soft]) >= MIN_TEXT_CONTRAST,
  ).hex;
  const contrast = {
    fill: roundDown(measureLowestContrast(fill, surfaces)),
    border: roundDown(measureLowestContrast(border.hex, surfaces)),
    foreground: roundDown(measureLowestContrast(foreground, [fill, hover])),
    text: roundDown(measureLowestContrast(text, [...surfaces, soft])),
  };
  return { fill, hover, border: border.hex, foreground, soft, text, contrast };
}

const measureLowestContrast = (shade: string, others: Array<string | Oklch>) =>
  Math.min(...others.map((other) => contrastOf(shade, other)));
const clampLightness = (value: number) => Math.min(1, Math.max(0, value));
/** Rounds down: never overstates a contrast. */
const roundDown = (value: number) => Math.floor(value * 100) / 100;
