import { afterEach, describe, expect, it, vi } from "vitest";
import { LOCALES } from "@/server/core/locale";
import { createFormatter, formatSmallInteger } from "./format";

describe("small integers", () => {
  it.each(LOCALES)("match Intl in %s", (locale) => {
    const intlFormat = new Intl.NumberFormat(locale);
    for (let value = 0; value < 1000; value += 1)
      expect(formatSmallInteger(value)).toBe(intlFormat.format(value));
  });

  it("are the only numbers formatted without Intl", () => {
    const { number } = createFormatter({ locale: "de", timeZone: "Europe/Istanbul" });
    expect([999, 1000, -5, 1.5].map((value) => number(value))).toEqual(["999", "1.000", "-5", "1,5"]);
    expect(number(5, { style: "percent" })).toBe("500\u00a0%");
  });
});

it("formats Russian dates so that a full stop may follow", () => {
  const format = createFormatter({ locale: "ru", timeZone: "Europe/Istanbul" });
  const instant = "2026-11-30T11:05:00Z";
  expect([format.date(instant), format.dateTime(instant), format.month(instant)]).toEqual([
    "30 нояб. 2026",
    "30 нояб. 2026, 14:05",
    "ноябрь 2026",
  ]);
});

it("formats English dates as in Britain", () => {
  const format = createFormatter({ locale: "en", timeZone: "Europe/Istanbul" });
  expect(format.dateTime("2026-11-30T11:05:00Z")).toBe("30 Nov 2026, 14:05");
});

describe("formatter without full Intl support", () => {
  const createEnglishFormatter = () => createFormatter({ locale: "en", timeZone: "Europe/Istanbul" });
  afterEach(() => vi.unstubAllGlobals());

  it("falls back to the old name of a zone, then to the browser's zone", () => {
    const instant = "2026-11-28T22:30:00Z";
    const unknownZoneFormat = createFormatter({ locale: "en", timeZone: "Mars/Olympus", dateFormat: "ymd" });
    expect(unknownZoneFormat.dateTime(instant)).toMatch(/2026-11-2[89] /);
    expect(unknownZoneFormat.zone(instant)).not.toBe("");
    const RealDateTimeFormat = Intl.DateTimeFormat;
    class OldFormat extends RealDateTimeFormat {
      constructor(locales?: string, options?: Intl.DateTimeFormatOptions) {
        if (options?.timeZone === "Europe/Kyiv") throw new RangeError("Invalid time zone specified");
        super(locales, options);
      }
    }
    vi.stubGlobal("Intl", { ...copyIntl(), DateTimeFormat: OldFormat });
    const kyivFormat = createFormatter({
      locale: "fr",
      timeZone: "Europe/Kyiv",
      dateFormat: "ymd",
      hourCycle: "h23",
    });
    expect(kyivFormat.dateTime(instant)).toBe("2026-11-29 00:30");
  });

  it("formats lists, names and relative times in browsers without the Intl classes for them", () => {
    const { RelativeTimeFormat, ListFormat, DisplayNames, ...incompleteIntl } = copyIntl();
    vi.stubGlobal("Intl", incompleteIntl);
    const format = createFormatter({ locale: "it", timeZone: "Europe/Istanbul" });
    expect(format.list(["a", "b"])).toBe("a, b");
    expect(format.region("TR")).toBe("TR");
    expect(format.language("tr")).toBe("tr");
    expect(format.relativeTime([-3, "hour"])).toBe("3 ore");
    expect([RelativeTimeFormat, ListFormat, DisplayNames]).not.toContain(undefined);
  });

  it("appends the code of an unknown currency", () => {
    expect(createEnglishFormatter().money(3999, "lira")).toBe("3,999\u00a0lira");
    expect(createEnglishFormatter().region("nonsense")).toBe("nonsense");
  });
});

/** Copies `Intl`, whose members are not enumerable. */
function copyIntl() {
  const names = Object.getOwnPropertyNames(Intl) as (keyof typeof Intl)[];
  return Object.fromEntries(names.map((name) => [name, Intl[name]])) as unknown as typeof Intl;
}
