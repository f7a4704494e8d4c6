import { afterEach, describe, expect, it, vi } from "vitest";
import { getFirstCharacter, getInitials, truncateGraphemes } from "./graphemes";

afterEach(() => vi.unstubAllGlobals());

describe.each(["with Intl.Segmenter", "without Intl.Segmenter"])("%s", (variant) => {
  const hideSegmenter = () => {
    if (variant.startsWith("without")) vi.stubGlobal("Intl", {});
  };

  it.each([
    ["🇹🇷 Ayşe", "🇹🇷A"],
    ["👩‍👩‍👧 Aile", "👩‍👩‍👧A"],
    ["👍🏽 Tamam", "👍🏽T"],
    ["e\u0301mile zola", "e\u0301z"],
    ["İpek Işık", "İI"],
    ["أحمد محمود", "أم"],
    ["\u200fأحمد", "أ"],
    ["“Kahve” (Merkez)", "KM"],
    ["Ayşe", "A"],
    ["  ", ""],
  ])("returns the initials of %j", (name, initials) => {
    hideSegmenter();
    expect(getInitials(name)).toBe(initials);
  });

  it("truncates between characters", () => {
    hideSegmenter();
    expect(truncateGraphemes("ab🇹🇷", 3)).toBe("ab");
    expect(truncateGraphemes("ab🇹🇷", 4)).toBe("ab🇹🇷");
    expect(truncateGraphemes("x👩‍👩‍👧y", 6)).toBe("x👩‍👩‍👧");
    expect(truncateGraphemes("x👩‍👩‍👧y", 5)).toBe("x");
    expect(truncateGraphemes("e\u0301e\u0301", 3)).toBe("e\u0301");
    expect(truncateGraphemes(`a${"\u0301".repeat(9)}`, 3)).toBe("a\u0301\u0301");
  });
});

it("keeps the vowel of a Hindi letter", () => {
  expect(getFirstCharacter("हिन्दी")).toBe("हि");
});
