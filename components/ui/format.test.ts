import { afterEach, describe, expect, it, vi } from "vitest";
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

describe("a browser that lacks a part of Intl", () => {
  const write = () => formatter({ locale: "en", timeZone: "Europe/Istanbul" });
  afterEach(() => vi.unstubAllGlobals());

  it("formats in its own zone when it does not know the account's, or by the zone's other name", () => {
    const at = "2026-11-28T22:30:00Z";
    const unknown = formatter({ locale: "en", timeZone: "Mars/Olympus", dateFormat: "ymd" });
    expect(unknown.dateTime(at)).toMatch(/2026-11-2[89] /);
    expect(unknown.zone(at)).not.toBe("");
    const Real = Intl.DateTimeFormat;
    class OldFormat extends Real {
      constructor(locales?: string, options?: Intl.DateTimeFormatOptions) {
        if (options?.timeZone === "Europe/Kyiv") throw new RangeError("Invalid time zone specified");
        super(locales, options);
      }
    }
    vi.stubGlobal("Intl", { ...intl(), DateTimeFormat: OldFormat });
    const kyiv = formatter({ locale: "fr", timeZone: "Europe/Kyiv", dateFormat: "ymd", hourCycle: "h23" });
    expect(kyiv.dateTime(at)).toBe("2026-11-29 00:30");
  });

  it("writes lists, names, distances and amounts without the part that is missing", () => {
    const { RelativeTimeFormat, ListFormat, DisplayNames, ...rest } = intl();
    vi.stubGlobal("Intl", rest);
    const format = formatter({ locale: "it", timeZone: "Europe/Istanbul" });
    expect(format.list(["a", "b"])).toBe("a, b");
    expect(format.region("TR")).toBe("TR");
    expect(format.language("tr")).toBe("tr");
    expect(format.ago([-3, "hour"])).toBe("3 ore");
    expect([RelativeTimeFormat, ListFormat, DisplayNames]).not.toContain(undefined);
  });

  it("writes a currency that it does not know behind the amount", () => {
    expect(write().money(3999, "lira")).toBe("3,999\u00a0lira");
    expect(write().region("nonsense")).toBe("nonsense");
  });
});

/** The members of `Intl`, which are not enumerable. */
function intl() {
  const names = Object.getOwnPropertyNames(Intl) as (keyof typeof Intl)[];
  return Object.fromEntries(names.map((name) => [name, Intl[name]])) as unknown as typeof Intl;
}
