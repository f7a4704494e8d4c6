/* Widget colours: text that is readable on any colour, and a colour that is visible on any page. */

type ColorTriple = readonly [number, number, number];

export const PAGE_COLOR = { light: "#FFFFFF", dark: "#16181D" } as const;
export type PageTheme = keyof typeof PAGE_COLOR;

/** WCAG AA contrasts of text and of controls. */
export const MIN_TEXT_CONTRAST = 4.5;
export const MIN_FILL_CONTRAST = 3;

const HEX_COLOR_PATTERN = /^#[0-9a-f]{6}$/i;

/** Parses `#RRGGBB`, also without `#`. Returns null if incomplete. */
export function parseHex(value: string): string | null {
  const hex = `#${value.trim().replace(/^#/, "")}`;
  return HEX_COLOR_PATTERN.test(hex) ? hex.toUpperCase() : null;
}

function parseChannels(hex: string): ColorTriple {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toLinear(channel: number): number {
  const fraction = channel / 255;
  return fraction <= 0.04045 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4;
}

function fromLinear(fraction: number): number {
  const value = fraction <= 0.0031308 ? fraction * 12.92 : 1.055 * fraction ** (1 / 2.4) - 0.055;
  return value * 255;
}

function getLuminance(hex: string): number {
  const [r, g, b] = parseChannels(hex);
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
}

/** WCAG contrast of two colours, from 1 to 21. */
export function getContrast(a: string, b: string): number {
  const [light, dark] = [getLuminance(a), getLuminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns white if it is readable, otherwise black: one of them always reaches 4.5. */
export function getForegroundColor(fill: string): "#FFFFFF" | "#000000" {
  return getContrast(fill, "#FFFFFF") >= MIN_TEXT_CONTRAST ? "#FFFFFF" : "#000000";
}

/** Darkens or lightens a colour in small steps, keeping its hue, until it is visible on the page. */
export function adjustFill(color: string, page: string): string {
  const shouldDarken = getLuminance(page) > 0.18;
  const [startLightness, a, b] = toOklab(color);
  let lightness = startLightness;
  let fill = color.toUpperCase();
  while (getContrast(fill, page) < MIN_FILL_CONTRAST && (shouldDarken ? lightness > 0 : lightness < 1)) {
    lightness += shouldDarken ? -0.01 : 0.01;
    fill = fitToGamut([lightness, a, b]);
  }
  return fill;
}

export interface WidgetColors {
  fill: string;
  foreground: string;
  contrast: number;
  isCorrected: boolean;
  hasDarkText: boolean;
}

export function getWidgetColors(color: string, theme: PageTheme): WidgetColors {
  const fill = adjustFill(color, PAGE_COLOR[theme]);
  const foreground = getForegroundColor(fill);
  return {
    fill,
    foreground,
    contrast: getContrast(fill, foreground),
    isCorrected: fill !== color.toUpperCase(),
    hasDarkText: foreground === "#000000",
  };
}

/** Converts to Oklab, in which lightness can change without the hue. */
function toOklab(hex: string): ColorTriple {
  const [r = 0, g = 0, b = 0] = parseChannels(hex).map(toLinear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Reduces the chroma until the colour can be shown in sRGB. */
function fitToGamut([lightness, a, b]: ColorTriple): string {
  for (let chroma = 1; chroma > 0; chroma -= 0.02) {
    const rgb = toRgb([lightness, a * chroma, b * chroma]);
    if (rgb.every((channel) => channel >= -0.5 && channel <= 255.5)) return toHex(rgb);
  }
  return toHex(toRgb([lightness, 0, 0]));
}

function toRgb([lightness, a, b]: ColorTriple): ColorTriple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function toHex(rgb: ColorTriple): string {
  const parts = rgb.map((channel) =>
    Math.min(255, Math.max(0, Math.round(channel)))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${parts.join("")}`.toUpperCase();
}
