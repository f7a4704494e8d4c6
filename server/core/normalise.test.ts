import { describe, expect, it } from "vitest";
import {
  normaliseAmount,
  normaliseCode,
  normaliseDay,
  normaliseLetterCode,
  normaliseLine,
  normalisePhoneInput,
  normaliseSpokenCode,
  normaliseUrl,
  toLatinDigits,
  trimInvisible,
} from "./normalise";

it("converts the digits of every script in Unicode", () => {
  const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));
  const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter(isDigit);
  const zeros = codes.filter((_, index) => index % 10 === 0);
  expect(codes.length % 10).toBe(0);
  for (const zero of zeros)
    expect(toLatinDigits(String.fromCodePoint(...Array.from({ length: 10 }, (_, at) => zero + at)))).toBe(
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
])("normalises the code %j to 582205", (typed) => {
  expect(normaliseCode(typed)).toBe("582205");
});

it.each(["k7qm-x2rd-1111-0000", " K7QM X2RD ılIi OoO0", "Ｋ７ＱＭ‑x2rd\u200b1111\u00a00000"])(
  "normalises the recovery code %j",
  (typed) => {
    expect(normaliseSpokenCode(typed)).toBe("K7QMX2RD11110000");
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
])("normalises the phone number %j to %j", (typed, normalised) => {
  expect(normalisePhoneInput(typed)).toBe(normalised);
});

describe("normaliseAmount", () => {
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
  ])("normalises %j to %s", (typed, normalised) => {
    expect(normaliseAmount(typed)).toBe(normalised);
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
  ])("leaves %j unchanged for validation to reject", (typed) => {
    expect(normaliseAmount(typed)).toBe(typed);
  });

  it("reads 3.999 and 3,999 as thousands if the other mark is decimal", () => {
    expect([normaliseAmount("3.999", ","), normaliseAmount("3,999", ",")]).toEqual(["3999", "3,999"]);
    expect([normaliseAmount("3.999", "."), normaliseAmount("3,999", ".")]).toEqual(["3.999", "3999"]);
    expect(normaliseAmount("3.99", ",")).toBe("3.99");
  });
});

it.each([
  ["20.11.2027", "2027-11-20"],
  ["1. 2. 2027", "2027-02-01"],
  ["٢٠٢٧-١١-٢٠", "2027-11-20"],
  ["2027–11–20", "2027-11-20"],
  ["11/20/2027", "11/20/2027"],
])("normalises the date %j to %j", (typed, normalised) => {
  expect(normaliseDay(typed)).toBe(normalised);
});

it.each([
  ["\u2068Ayşe\u2069\u00a0Kaya", "Ayşe Kaya"],
  ["Ay\u200bs\u0327e", "Ayşe"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["👩\u200d👧", "👩\u200d👧"],
  ["a\u202eb", "a\u202eb"],
])("normalises the line %j to %j", (typed, normalised) => {
  expect(normaliseLine(typed)).toBe(normalised);
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
])("trims invisible characters from %j: %j", (text, trimmed) => {
  expect(trimInvisible(text!)).toBe(trimmed);
});

it.each(["SELIN26", "SELİN26", "selı\u206en26", "seli\u0307n26", "\u202dselin-26\u202c", "ｓｅｌｉｎ２６"])(
  "normalises the letter code %j to SELIN26",
  (typed) => {
    expect(normaliseLetterCode(typed)).toBe("SELIN26");
  },
);

it("replaces İ in the host of a URL but not in its path", () => {
  expect(normaliseUrl("https://KAHVEİ.example.com/İ")).toBe("https://KAHVEI.example.com/İ");
});

it("takes linear time", () => {
  const repetitions = 100_000;
  const startedAt = performance.now();
  for (const part of ["\u200b", " ", "1", "1.", "-", ",111", "İ", "i\u0307", "٣", "https://"])
    for (const normalise of [
      normaliseAmount,
      normaliseCode,
      normaliseDay,
      normaliseLine,
      normalisePhoneInput,
      trimInvisible,
      normaliseUrl,
    ])
      normalise(part.repeat(repetitions));
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
