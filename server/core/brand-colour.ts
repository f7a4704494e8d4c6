/*
 * A brand's colours for both themes, made of the one colour that was chosen. Whatever the colour, what is painted with
 * them can be read: the contrasts are computed, never hoped for.
 */

/** What is painted with a brand's colour, as `#rrggbb`. */
type Shades = {
  /** Buttons and marks: at least 3:1 on every surface. */
  fill: string;
  hover: string;
  /** Text on `fill` and `hover`: at least 4.5:1. */
  foreground: string;
  /** A tinted background. */
  soft: string;
  /** Links and words: at least 4.5:1 on every surface and on `soft`. */
  text: string;
};

/** The least contrast of each kind, as a ratio to one. */
type Contrasts = {
  fill: number;
  foreground: number;
  text: number;
};

export const THEMES = ["light", "dark"] as const;
export type ThemeName = (typeof THEMES)[number];
export type BrandPalette = Record<ThemeName, Shades & { contrast: Contrasts }>;

type Triple = [number, number, number];
interface Lch {
  l: number;
  c: number;
  h: number;
}

/** The panel's surfaces (`app/globals.css`): page, card, sunken, raised; in the dark theme, too. */
const SURFACES: Record<ThemeName, Lch[]> = {
  light: [
    { l: 0.985, c: 0.002, h: 265 },
    { l: 1, c: 0, h: 0 },
    { l: 0.965, c: 0.004, h: 265 },
  ],
  dark: [
    { l: 0.175, c: 0.012, h: 265 },
    { l: 0.215, c: 0.014, h: 265 },
    { l: 0.15, c: 0.012, h: 265 },
    { l: 0.255, c: 0.016, h: 265 },
  ],
};
const STEP = 0.01;
/** Above the limits, so that what a browser rounds stays above them. */
const FILL = 3.02;
const TEXT = 4.55;

/** Makes the colours of both themes of `#RRGGBB`. */
export function brandPalette(color: string): BrandPalette {
  return { light: shadesOf(color, "light"), dark: shadesOf(color, "dark") };
}

function shadesOf(color: string, theme: ThemeName): BrandPalette[ThemeName] {
  const given = toLch(channels(color));
  const away = theme === "light" ? -STEP : STEP;
  const surfaces = SURFACES[theme].map((each) => luminance(toRgb(each)));
  const least = (shade: string, others: number[]) =>
    Math.min(...others.map((other) => ratio(luminanceOf(shade), other)));
  const movedUntil = (from: Lch, enough: (shade: string) => boolean): { lch: Lch; hex: string } => {
    for (let lch = from; ; lch = { ...lch, l: lch.l + away }) {
      const hex = toHex(toRgb({ ...lch, l: clamp(lch.l) }));
      const atEnd = theme === "light" ? lch.l <= 0 : lch.l >= 1;
      if (enough(hex) || atEnd) return { lch: { ...lch, l: clamp(lch.l) }, hex };
    }
  };

  const fill = movedUntil(given, (shade) => least(shade, surfaces) >= FILL);
  const foreground = least(fill.hex, [1]) >= 4.5 ? "#ffffff" : "#000000";
  // Away from its text, so that the text stays readable.
  const hoverAway = foreground === "#ffffff" ? -0.05 : 0.05;
  const hover = toHex(toRgb({ ...fill.lch, l: clamp(fill.lch.l + hoverAway) }));
  const soft = toHex(
    toRgb(
      theme === "light"
        ? { l: 0.955, c: Math.min(given.c, 0.02), h: given.h }
        : { l: 0.3, c: Math.min(given.c, 0.06), h: given.h },
    ),
  );
  const behindText = [...surfaces, luminanceOf(soft)];
  const text = movedUntil(fill.lch, (shade) => least(shade, behindText) >= TEXT).hex;
  const contrast = {
    fill: rounded(least(fill.hex, surfaces)),
    foreground: rounded(least(foreground, [luminanceOf(fill.hex), luminanceOf(hover)])),
    text: rounded(least(text, behindText)),
  };
  return { fill: fill.hex, hover, foreground, soft, text, contrast };
}

/** The contrast of two colours as WCAG defines it, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return ratio(luminanceOf(one), luminanceOf(other));
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
/** Down, so that a number never promises more than there is. */
const rounded = (value: number) => Math.floor(value * 100) / 100;
const ratio = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const luminanceOf = (hex: string) => luminance(channels(hex));

/** Linear red, green and blue, 0 to 1. */
function channels(hex: string): Triple {
  const value = Number.parseInt(hex.slice(1), 16);
  const linear = (byte: number) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [linear(value >> 16), linear((value >> 8) & 255), linear(value & 255)];
}

function toHex(rgb: Triple): string {
  const byte = (part: number) => {
    const shown = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(clamp(shown) * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${rgb.map(byte).join("")}`;
}

/** OKLCH, after Ottosson: https://bottosson.github.io/posts/oklab/ */
function toLch([r, g, b]: Triple): Lch {
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const z = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return { l, c: Math.hypot(a, z), h: (Math.atan2(z, a) * 180) / Math.PI };
}

function linearOf({ l, c, h }: Lch): Triple {
  const angle = (h * Math.PI) / 180;
  const a = c * Math.cos(angle);
  const z = c * Math.sin(angle);
  const long = (l + 0.3963377774 * a + 0.2158037573 * z) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * z) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * z) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

const EDGE = 1e-6;
const isInside = (rgb: Triple) => rgb.every((part) => part >= -EDGE && part <= 1 + EDGE);

/** The colour inside sRGB: of the same lightness and hue, with as much chroma as there is room for. */
function toRgb(lch: Lch): Triple {
  const whole = linearOf(lch);
  if (isInside(whole)) return whole;
  let [low, high] = [0, lch.c];
  for (let turn = 0; turn < 18; turn++) {
    const middle = (low + high) / 2;
    if (isInside(linearOf({ ...lch, c: middle }))) low = middle;
    else high = middle;
  }
  return linearOf({ ...lch, c: low });
}
