import { describe, expect, it } from "vitest";
import { type BrandPalette, buildBrandPalette, contrastOf, THEMES } from "./brand-colour";

const SURFACES = {
  light: ["#f9fafb", "#ffffff", "#f2f4f6"],
  dark: ["#0e1016", "#161920", "#090b10", "#1e222a"],
} as const;

function findLowestContrasts(palette: BrandPalette): Record<"border" | "foreground" | "text", number> {
  const contrasts = THEMES.map((theme) => {
    const { fill, hover, border, foreground, soft, text } = palette[theme];
    const lowestOn = (shade: string, others: readonly string[]) =>
      Math.min(...others.map((other) => contrastOf(shade, other)));
    return {
      border: lowestOn(border, SURFACES[theme]),
      foreground: lowestOn(foreground, [fill, hover]),
      text: lowestOn(text, [...SURFACES[theme], soft]),
    };
  });
  const lowestOf = (kind: "border" | "foreground" | "text") =>
    Math.min(...contrasts.map((each) => each[kind]));
  return { border: lowestOf("border"), foreground: lowestOf("foreground"), text: lowestOf("text") };
}

const toHex = (value: number) => `#${value.toString(16).padStart(6, "0")}`;
const colors = Array.from({ length: 32_768 }, (_, index) => {
  const channel = (shift: number) => Math.round((((index >> shift) & 31) * 255) / 31);
  return toHex((channel(10) << 16) | (channel(5) << 8) | channel(0));
});

describe("a brand's colours", () => {
  it("meet the contrast limits in both themes for the 60 hardest of 32,768 colours", () => {
    const measured = colors.map((color) => ({ color, ...findLowestContrasts(buildBrandPalette(color)) }));
    const margin = ({ border, foreground, text }: Omit<(typeof measured)[number], "color">) =>
      Math.min(border / 3, foreground / 4.5, text / 4.5);
    const hardest = measured.toSorted((one, other) => margin(one) - margin(other)).slice(0, 60);
    expect(hardest).toHaveLength(60);
    for (const each of hardest) expect(margin(each), JSON.stringify(each)).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ["#FFD400", "#000000", { light: false, dark: true }],
    ["#000000", "#ffffff", { light: true, dark: false }],
    ["#FFFFFF", "#000000", { light: false, dark: true }],
    ["#1D4ED8", "#ffffff", { light: true, dark: false }],
    ["#808080", "#000000", { light: true, dark: true }],
    ["#E0559A", "#000000", { light: true, dark: true }],
  ])(
    "keep %s as the fill, with readable text and an edge where it fades into the page",
    (color, foreground, contrasts) => {
      const palette = buildBrandPalette(color);
      for (const theme of THEMES) {
        const { fill, hover, border, ...shades } = palette[theme];
        expect([fill, shades.foreground]).toEqual([color.toLowerCase(), foreground]);
        expect(hover).not.toBe(fill);
        expect(border === fill, `${theme}: ${border}`).toBe(contrasts[theme]);
      }
    },
  );

  it("never overstate their contrast", () => {
    for (const color of ["#ffff00", "#777777", "#000000", "#ffffff", "#00ff00", "#ff00ff"])
      for (const theme of THEMES) {
        const { contrast, fill, foreground } = buildBrandPalette(color)[theme];
        expect(contrast.foreground).toBeLessThanOrEqual(contrastOf(foreground, fill));
        expect(contrast.border).toBeGreaterThanOrEqual(3);
        expect(contrast.text).toBeGreaterThanOrEqual(4.5);
      }
  });
});
