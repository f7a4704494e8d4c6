import { describe, expect, it } from "vitest";
import { fold, searchWords } from "./fold";

describe("folding", () => {
  it.each([
    ["İĞDE Işık ŞÉ", "igde isik se"],
    ["IŞIL", "isil"],
    ["ışıl", "isil"],
    ["İŞIL", "isil"],
    ["Ёлка ЙОД", "елка иод"],
    ["ﬁle ①", "file 1"],
    ["Straße", "straße"],
    ["", ""],
  ])("%s", (text, folded) => {
    expect(fold(text)).toBe(folded);
    expect(fold(folded)).toBe(folded);
  });

  it("splits a query into words", () => {
    expect(searchWords("  Kahve\u3000İŞIL\n10 ")).toEqual(["kahve", "isil", "10"]);
    expect(searchWords(null)).toEqual([]);
  });
});
