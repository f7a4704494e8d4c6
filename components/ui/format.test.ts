import { afterEach, describe, expect, it, vi } from "vitest";
import { LOCALES } from "@/server/core/locale";
import { digits, formatter } from "./format";

describe("digits", () => {
  it.each(LOCALES)("matches Intl in %s", (locale) => {
    const intlFormat = new Intl.NumberFormat(locale);
    for (let value = 0; value < 1000; value += 1) expect(digits(value)).toBe(intlFormat.format(value));
  });

  it("leaves numbers with separators and options to Intl", () => {
    const { number } = formatter({ locale: "de", timeZone: "Europe/Istanbul" });
    expect([999, 1000, -5, 1.5].map((value) => number(value))).toEqual(["999", "1.000", "-5", "1,5"]);
    expect(number(5, { style: "percent" })).toBe("500\u00a0%");
  });
});

describe("formatter without full Intl support", () => {
  const english = () => formatter({ locale: "en", timeZone: "Europe/Istanbul" });
  afterEach(() => vi.unstubAllGlobals());

  it("falls back to the old name of a zone, then to the browser's zone", () => {
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

  it("formats lists, names and distances without the missing classes", () => {
    const { RelativeTimeFormat, ListFormat, DisplayNames, ...rest } = intl();
    vi.stubGlobal("Intl", rest);
    const format = formatter({ locale: "it", timeZone: "Europe/Istanbul" });
    expect(format.list(["a", "b"])).toBe("a, b");
    expect(format.region("TR")).toBe("TR");
    expect(format.language("tr")).toBe("tr");
    expect(format.ago([-3, "hour"])).toBe("3 ore");
    expect([RelativeTimeFormat, ListFormat, DisplayNames]).not.toContain(undefined);
  });

  it("appends the code of an unknown currency", () => {
    expect(english().money(3999, "lira")).toBe("3,999\u00a0lira");
    expect(english().region("nonsense")).toBe("nonsense");
  });
});

/** Copies `Intl`, whose members are not enumerable. */
function intl() {
  const names = Object.getOwnPropertyNames(Intl) as (keyof typeof Intl)[];
  return Object.fromEntries(names.map((name) => [name, Intl[name]])) as unknown as typeof Intl;
}
