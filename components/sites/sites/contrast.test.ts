import { describe, expect, it } from "vitest";
import { contrast, fillOn, MIN_FILL, MIN_TEXT, PAGE_COLOR, parseHex, widgetColors } from "./contrast";

function* randomColors(count: number): Generator<string> {
  let state = 20271120;
  for (let index = 0; index < count; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield `#${(state >>> 8).toString(16).padStart(6, "0").toUpperCase()}`;
  }
}

describe("widget colours", () => {
  it("have the WCAG contrast", () => {
    expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#777777")).toBe(1);
    expect(contrast("#767676", "#FFFFFF")).toBeCloseTo(4.54, 2);
  });

  it.each(["light", "dark"] as const)(
    "are readable and visible for 1,000 random colours on a %s page",
    (theme) => {
      for (const color of [...randomColors(1000), "#000000", "#FFFFFF", "#FFFF00", "#0000FF", "#7F7F7F"]) {
        const { fill, foreground, ratio } = widgetColors(color, theme);
        expect(fill, color).toMatch(/^#[0-9A-F]{6}$/);
        expect(ratio, color).toBeGreaterThanOrEqual(MIN_TEXT);
        expect(contrast(fill, foreground), color).toBe(ratio);
        expect(contrast(fill, PAGE_COLOR[theme]), color).toBeGreaterThanOrEqual(MIN_FILL);
      }
    },
  );

  it("keep a colour that needs no correction", () => {
    expect(fillOn("#4F46E5", PAGE_COLOR.light)).toBe("#4F46E5");
    expect(widgetColors("#4f46e5", "light").corrected).toBe(false);
    expect(widgetColors("#FDE047", "light")).toMatchObject({ corrected: true });
  });

  it("are parsed while typed", () => {
    expect(parseHex(" 4f46e5 ")).toBe("#4F46E5");
    expect(parseHex("#4F46E")).toBeNull();
    expect(parseHex("red")).toBeNull();
  });
});
