import { describe, expect, it } from "vitest";
import { namedPeriods, nameOf } from "./period";

const days = (from: string, to = from) => ({ from, to });

describe("namedPeriods", () => {
  it("counts from today and starts weeks on the given day", () => {
    // A Thursday.
    expect(namedPeriods("2026-11-26", 1)).toEqual({
      today: days("2026-11-26"),
      yesterday: days("2026-11-25"),
      thisWeek: days("2026-11-23", "2026-11-29"),
      lastWeek: days("2026-11-16", "2026-11-22"),
      thisMonth: days("2026-11-01", "2026-11-30"),
      lastMonth: days("2026-10-01", "2026-10-31"),
    });
    expect(namedPeriods("2026-11-26", 0).thisWeek).toEqual(days("2026-11-22", "2026-11-28"));
    expect(namedPeriods("2026-11-26", 6).thisWeek).toEqual(days("2026-11-21", "2026-11-27"));
  });

  it("handles the first day of a week and the ends of months and years", () => {
    for (const start of [0, 1, 6])
      for (let day = Date.UTC(2027, 11, 20); day < Date.UTC(2028, 2, 10); day += 86_400_000) {
        const today = new Date(day).toISOString().slice(0, 10);
        const { thisWeek, lastWeek, thisMonth, lastMonth } = namedPeriods(today, start);
        expect(new Date(thisWeek.from).getUTCDay()).toBe(start);
        expect(thisWeek.from <= today && today <= thisWeek.to).toBe(true);
        expect(Date.parse(lastWeek.to)).toBe(Date.parse(thisWeek.from) - 86_400_000);
        expect(thisMonth.from.endsWith("-01") && lastMonth.from.endsWith("-01")).toBe(true);
        expect(Date.parse(lastMonth.to)).toBe(Date.parse(thisMonth.from) - 86_400_000);
      }
    expect(namedPeriods("2028-03-01", 1)).toMatchObject({
      yesterday: days("2028-02-29"),
      lastMonth: days("2028-02-01", "2028-02-29"),
    });
  });

  it("are recognised by their dates", () => {
    const named = namedPeriods("2026-11-26", 1);
    expect(nameOf(days("2026-11-23", "2026-11-29"), named)).toBe("thisWeek");
    expect(nameOf({ from: "2026-11-23", to: null }, named)).toBeUndefined();
    expect(nameOf({ from: null, to: null }, named)).toBeUndefined();
  });
});
