import { describe, expect, it } from "vitest";
import { formatMoney, MAX_AMOUNT_MINOR, parseAmount, prorate, splitVat, toAmount, toMinor } from "./money";

describe("parseAmount", () => {
  it.each([
    [0, 0],
    [0.1, 10],
    [0.29, 29],
    [1.1, 110],
    [2999, 299_900],
    [2999.5, 299_950],
    [1e3, 100_000],
    [4.35, 435],
    ["2999.50", 299_950],
    ["0.05", 5],
    [21_474_836.47, MAX_AMOUNT_MINOR],
  ])("converts %s to %i kuruş", (amount, minor) => {
    expect(parseAmount(amount)).toBe(minor);
  });

  it.each([
    -1,
    -0.01,
    0.001,
    0.1 + 0.2,
    1e-7,
    1e21,
    21_474_836.48,
    99_999_999,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "1.000,50",
    "1,5",
    "1e3",
    "0x10",
    "01",
    ".5",
    "5.",
    "+5",
    "٥",
    "5 TL",
    "",
  ])("rejects %s", (amount) => {
    expect(parseAmount(amount)).toBeUndefined();
  });

  it("round-trips every amount up to 100 lira and the largest ones", () => {
    const amounts = Array.from({ length: 10_000 }, (_, minor) => minor).concat(
      MAX_AMOUNT_MINOR - 1,
      MAX_AMOUNT_MINOR,
    );
    expect(amounts.filter((minor) => parseAmount(toAmount(minor)) !== minor)).toEqual([]);
  });
});

it("formats amounts for the reader's locale", () => {
  expect(formatMoney(299_950, { currency: "TRY", locale: "tr" })).toBe("₺2.999,50");
  expect(formatMoney(5, { currency: "TRY", locale: "en" }).replace(/\u00a0/g, " ")).toBe("TRY 0.05");
});

it("rounds a prorated price half up", () => {
  const priceMonths = 12;
  expect(prorate(12, { priceMinor: toMinor(9999), priceMonths })).toBe(999_900);
  expect(prorate(1, { priceMinor: toMinor(2999), priceMonths })).toBe(24_992);
  expect(prorate(6, { priceMinor: 1, priceMonths })).toBe(1);
  expect(prorate(5, { priceMinor: 1, priceMonths })).toBe(0);
  expect(prorate(60, { priceMinor: toMinor(59_999), priceMonths })).toBe(29_999_500);
});

it("splits VAT so that both parts add up", () => {
  expect(splitVat(999_900, 20)).toEqual({ net: 833_250, vat: 166_650 });
  for (const gross of [1, 2, 3, 299_900, 399_900, MAX_AMOUNT_MINOR])
    for (const rate of [0, 1, 10, 18, 20]) {
      const { net, vat } = splitVat(gross, rate);
      expect(net + vat).toBe(gross);
      expect(Math.abs(net * (100 + rate) - gross * 100) * 2).toBeLessThanOrEqual(100 + rate);
    }
});
