import { describe, expect, it } from "vitest";
import { LOCALES } from "@/server/core/locale";
import { digits, formatter } from "./format";

describe("small numbers", () => {
  it.each(LOCALES)("look as Intl writes them in %s", (locale) => {
    const written = new Intl.NumberFormat(locale);
    for (let value = 0; value < 1000; value += 1) expect(digits(value)).toBe(written.format(value));
  });

  it("are those without a separator", () => {
    const { number } = formatter({ locale: "de", timeZone: "Europe/Istanbul" });
    expect([999, 1000, -5, 1.5].map((value) => number(value))).toEqual(["999", "1.000", "-5", "1,5"]);
    expect(number(5, { style: "percent" })).toBe("500\u00a0%");
  });
});
