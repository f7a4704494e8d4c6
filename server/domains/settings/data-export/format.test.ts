import { describe, expect, it } from "vitest";
import { toCsv, toJson } from "./service/format";

describe("a CSV file", () => {
  it("escapes formulas", () => {
    const hostile = [
      "=1+1",
      "+cmd",
      "-2+3",
      "@SUM(A1)",
      "\t=1",
      "\r=1",
      "\n=1",
      " =1",
      "＝1",
      "＋1",
      '=HYPERLINK("http://x")',
    ];
    for (const text of hostile) {
      const [, line] = toCsv([{ text }]).split("\r\n", 2);
      expect(line, JSON.stringify(text)).toMatch(/^"'/);
    }
    for (const text of ["Ayşe", "a=b", "1-2", "", "o'neil"])
      expect(toCsv([{ text }])).toBe(`\uFEFF"text"\r\n"${text}"\r\n`);
    expect(toCsv([{ amount: -5 }])).toBe('\uFEFF"amount"\r\n"-5"\r\n');
  });

  it("quotes cells with quotes, commas and line breaks", () => {
    const row = { a: 'x","y', b: "1\n2", c: null, d: ["x", 1], e: new Date(0), f: Buffer.from([0, 255]) };
    expect(toCsv([row])).toBe(
      '\uFEFF"a","b","c","d","e","f"\r\n"x"",""y","1\n2","","[""x"",1]","1970-01-01T00:00:00.000000Z","00ff"\r\n',
    );
    expect(JSON.parse(toJson([row]))[0]).toMatchObject({ c: null, d: ["x", 1], f: "00ff" });
  });
});
