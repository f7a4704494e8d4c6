import { describe, expect, it } from "vitest";
import {
  adjustFill,
  getContrast,
  getWidgetColors,
  MIN_FILL_CONTRAST,
  MIN_TEXT_CONTRAST,
  PAGE_COLOR,
  parseHex,
} from "./contrast";

/** Pseudo-random, with a fixed seed, so that a failure can be repeated. */
function* randomColors(count: number): Generator<string> {
  let state = 20271120;
  for (let index = 0; index < count; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield `#${(state >>> 8).toString(16).padStart(6, "0").toUpperCase()}`;
  }
}

describe("widget colours", () => {
  it("have the contrast that WCAG defines", () => {
    expect(getContrast("#000000", "#FFFFFF")).toBeCloseTo(21, 5);
    expect(getContrast("#777777", "#777777")).toBe(1);
    expect(getContrast("#767676", "#FFFFFF")).toBeCloseTo(4.54, 2);
  });

  it.each(["light", "dark"] as const)(
    "are readable and visible for 1,000 random colours on a %s page",
    (theme) => {
      for (const color of [...randomColors(1000), "#000000", "#FFFFFF", "#FFFF00", "#0000FF", "#7F7F7F"]) {
        const { fill, foreground, contrast } = getWidgetColors(color, theme);
        expect(fill, color).toMatch(/^#[0-9A-F]{6}$/);
        expect(contrast, color).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST);
        expect(getContrast(fill, foreground), color).toBe(contrast);
        expect(getContrast(fill, PAGE_COLOR[theme]), color).toBeGreaterThanOrEqual(MIN_FILL_CONTRAST);
      }
    },
  );

  it("keep a colour that needs no correction", () => {
    expect(adjustFill("#4F46E5", PAGE_COLOR.light)).toBe("#4F46E5");
    expect(getWidgetColors("#4f46e5", "light").isCorrected).toBe(false);
    expect(getWidgetColors("#FDE047", "light")).toMatchObject({ isCorrected: true });
  });

  it("are parsed from typed text, or null while it is incomplete", () => {
    expect(parseHex(" 4f46e5 ")).toBe("#4F46E5");
    expect(parseHex("#4F46E")).toBeNull();
    expect(parseHex("red")).toBeNull();
  });
});
