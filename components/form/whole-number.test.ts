import { expect, it } from "vitest";
import { parseWholeNumber } from "./whole-number";

it.each([
  ["3999", 3999],
  ["-5", -5],
  ["₺3.999,00", 3999],
  ["TRY 3,999.00", 3999],
  ["3\u202f999\u00a0₺", 3999],
  ["\u20661.234.567\u2069", 1_234_567],
  ["1.000", 1000],
  ["-\u200e1.000", -1000],
  ["-123456789012345", -123_456_789_012_345],
  ["20 %", 20],
  ["", null],
  [" ", null],
])("parses %j as %j", (text, number) => {
  expect(parseWholeNumber(text)).toBe(number);
});

it.each(["3.5", "3,99", "12.34.5", "three", "-", "1 2", "1234567890123456"])(
  "returns %j unchanged for the form's rules to reject",
  (text) => {
    expect(parseWholeNumber(text)).toBe(text);
  },
);
