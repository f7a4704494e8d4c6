import { describe, expect, it } from "vitest";
import { foldText, splitIntoWords } from "./fold";

describe("foldText", () => {
  it.each([
    ["İĞDE Işık ŞÉ", "igde isik se"],
    ["IŞIL", "isil"],
    ["ışıl", "isil"],
    ["İŞIL", "isil"],
    ["Ёлка ЙОД", "елка иод"],
    ["ﬁle ①", "file 1"],
    ["Straße", "straße"],
    ["", ""],
  ])("folds %j to %j, which stays the same", (text, folded) => {
    expect(foldText(text)).toBe(folded);
    expect(foldText(folded)).toBe(folded);
  });

  it("splits a query into words", () => {
    expect(splitIntoWords("  Kahve\u3000İŞIL\n10 ")).toEqual(["kahve", "isil", "10"]);
    expect(splitIntoWords(null)).toEqual([]);
  });
});
