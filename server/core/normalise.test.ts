import { describe, expect, it } from "vitest";
import {
  amountText,
  codeText,
  dayText,
  latinDigits,
  letterCodeText,
  lineText,
  phoneText,
  spokenCodeText,
  trimmed,
  urlText,
} from "./normalise";

it("converts the digits of every script that Unicode knows", () => {
  const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));
  const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter(isDigit);
  const zeros = codes.filter((_, index) => index % 10 === 0);
  expect(codes.length % 10).toBe(0);
  for (const zero of zeros)
    expect(latinDigits(String.fromCodePoint(...Array.from({ length: 10 }, (_, at) => zero + at)))).toBe(
      "0123456789",
    );
});

it.each([
  "582 205",
  "582-205",
  "582\u2011205",
  "582–205",
  "582.205",
  "582\u00a0205\u200b",
  "\u202a582205\u202c",
  "“582205”.",
  "５８２２０５",
  "٥٨٢٢٠٥",
  "۵۸۲۲۰۵",
  "५८२२०५",
])("reads the code %j as 582205", (typed) => {
  expect(codeText(typed)).toBe("582205");
});

it.each(["k7qm-x2rd-1111-0000", " K7QM X2RD ılIi OoO0", "Ｋ７ＱＭ‑x2rd\u200b1111\u00a00000"])(
  "reads the recovery code %j like the one that was shown",
  (typed) => {
    expect(spokenCodeText(typed)).toBe("K7QMX2RD11110000");
  },
);

it.each([
  ["\u202a+90 532 123 45 67\u202c", "+90 532 123 45 67"],
  ["+90\u00a0532\u202f123\u20094567", "+90 532 123 4567"],
  ["0 (532) 123–45‑67", "0 (532) 123-45-67"],
  ["tel:+90-532-123-45-67", "+90-532-123-45-67"],
  ["٠٥٣٢ ١٢٣ ٤٥ ٦٧", "0532 123 45 67"],
  ["０５３２", "0532"],
  ["0532 123 45 67;", "0532 123 45 67"],
  ["030/123456", "030/123456"],
  ["+90 532 123 45 67¹", "+90 532 123 45 67¹"],
  ["\u202d+90 532 123 45 67\u202c", "+90 532 123 45 67"],
  ["0532 123 45 67 / 0533 123 45 67", "0532 123 45 67 / 0533 123 45 67"],
])("reads the telephone number %j as %j", (typed, read) => {
  expect(phoneText(typed)).toBe(read);
});

describe("an amount", () => {
  it.each([
    ["₺3.999,00", "3999.00"],
    ["₺3.999", "3999"],
    ["3.999,00 TL", "3999.00"],
    ["TRY 3,999.00", "3999.00"],
    ["3 999,00", "3999.00"],
    ["3\u202f999,00\u00a0₺", "3999.00"],
    ["3’999.5", "3999.5"],
    ["\u200f٣٬٩٩٩٫٠٠ ₺", "3999.00"],
    ["1.234.567,89", "1234567.89"],
    ["1,234,567", "1234567"],
    ["3.999,-", "3999"],
    ["0,5", "0.5"],
    ["2999.50", "2999.50"],
  ])("of %j is %s", (typed, read) => {
    expect(amountText(typed)).toBe(read);
  });

  it.each([
    "3.999",
    "3,999",
    "3999¹",
    "1.234.56",
    "1,234,56",
    "$3,999.00",
    "-5",
    "1.5.5",
    "1,23,456",
    "1.234,567.00",
    "1e3",
    "5.",
    "beş",
  ])("of %j is left as it is, to be rejected", (typed) => {
    expect(amountText(typed)).toBe(typed);
  });

  it("of 3.999 or 3,999 is a thousand times as large where the other mark is decimal", () => {
    expect([amountText("3.999", ","), amountText("3,999", ",")]).toEqual(["3999", "3,999"]);
    expect([amountText("3.999", "."), amountText("3,999", ".")]).toEqual(["3.999", "3999"]);
    expect(amountText("3.99", ",")).toBe("3.99");
  });
});

it.each([
  ["20.11.2027", "2027-11-20"],
  ["1. 2. 2027", "2027-02-01"],
  ["٢٠٢٧-١١-٢٠", "2027-11-20"],
  ["2027–11–20", "2027-11-20"],
  ["11/20/2027", "11/20/2027"],
])("reads the day %j as %j", (typed, read) => {
  expect(dayText(typed)).toBe(read);
});

it.each([
  ["\u2068Ayşe\u2069\u00a0Kaya", "Ayşe Kaya"],
  ["Ay\u200bs\u0327e", "Ayşe"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["👩\u200d👧", "👩\u200d👧"],
  ["a\u202eb", "a\u202eb"],
])("writes the line %j as %j", (typed, read) => {
  expect(lineText(typed)).toBe(read);
});

it.each([
  ["\u200b\u202a a\u00a0b \u202c\ufeff", "a\u00a0b"],
  ["\u202ea", "\u202ea"],
  ["\u200ca\u200d", "a"],
  ["\u{E0001}a\u0085\ufffb", "a"],
  ["❤\ufe0f", "❤\ufe0f"],
  ["🏴\u{E0067}\u{E007F}", "🏴\u{E0067}\u{E007F}"],
  ...["\u200b \u2060", "\u200d", "\ufe0f", "\u034f", "\u2800", "\u3164", "\u115f", "\u202e"].map((text) => [
    text,
    "",
  ]),
])("trims what cannot be seen from %j: %j", (text, rest) => {
  expect(trimmed(text!)).toBe(rest);
});

it.each(["SELIN26", "SELİN26", "selı\u206en26", "seli\u0307n26", "\u202dselin-26\u202c", "ｓｅｌｉｎ２６"])(
  "reads the code of letters %j as SELIN26",
  (typed) => {
    expect(letterCodeText(typed)).toBe("SELIN26");
  },
);

it("reads İ in the host of a web address as I, and leaves the path", () => {
  expect(urlText("https://KAHVEİ.example.com/İ")).toBe("https://KAHVEI.example.com/İ");
});

it("takes linear time", () => {
  const long = 100_000;
  const begun = performance.now();
  for (const part of ["\u200b", " ", "1", "1.", "-", ",111", "İ", "i\u0307", "٣", "https://"])
    for (const read of [amountText, codeText, dayText, lineText, phoneText, trimmed, urlText])
      read(part.repeat(long));
  // Quadratic, one of them takes minutes.
  expect(performance.now() - begun).toBeLessThan(30_000);
});
