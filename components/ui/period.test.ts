import { describe, expect, it } from "vitest";
import { findPeriodName, getNamedPeriods } from "./period";

const createPeriod = (from: string, to = from) => ({ from, to });

describe("predefined periods", () => {
  it("are relative to the given day, with weeks from the given weekday", () => {
    // A Thursday.
    expect(getNamedPeriods("2026-11-26", 1)).toEqual({
      today: createPeriod("2026-11-26"),
      yesterday: createPeriod("2026-11-25"),
      thisWeek: createPeriod("2026-11-23", "2026-11-29"),
      lastWeek: createPeriod("2026-11-16", "2026-11-22"),
      thisMonth: createPeriod("2026-11-01", "2026-11-30"),
      lastMonth: createPeriod("2026-10-01", "2026-10-31"),
    });
    expect(getNamedPeriods("2026-11-26", 0).thisWeek).toEqual(createPeriod("2026-11-22", "2026-11-28"));
    expect(getNamedPeriods("2026-11-26", 6).thisWeek).toEqual(createPeriod("2026-11-21", "2026-11-27"));
  });

  it("are correct on the first day of a week and at the ends of months and years", () => {
    for (const weekStart of [0, 1, 6])
      for (let time = Date.UTC(2027, 11, 20); time < Date.UTC(2028, 2, 10); time += 86_400_000) {
        const today = new Date(time).toISOString().slice(0, 10);
        const { thisWeek, lastWeek, thisMonth, lastMonth } = getNamedPeriods(today, weekStart);
        expect(new Date(thisWeek.from).getUTCDay()).toBe(weekStart);
        expect(thisWeek.from <= today && today <= thisWeek.to).toBe(true);
        expect(Date.parse(lastWeek.to)).toBe(Date.parse(thisWeek.from) - 86_400_000);
        expect(thisMonth.from.endsWith("-01") && lastMonth.from.endsWith("-01")).toBe(true);
        expect(Date.parse(lastMonth.to)).toBe(Date.parse(thisMonth.from) - 86_400_000);
      }
    expect(getNamedPeriods("2028-03-01", 1)).toMatchObject({
      yesterday: createPeriod("2028-02-29"),
      lastMonth: createPeriod("2028-02-01", "2028-02-29"),
    });
  });

  it("are found by their dates; other and open periods have no name", () => {
    const periods = getNamedPeriods("2026-11-26", 1);
    expect(findPeriodName(createPeriod("2026-11-23", "2026-11-29"), periods)).toBe("thisWeek");
    expect(findPeriodName({ from: "2026-11-23", to: null }, periods)).toBeUndefined();
    expect(findPeriodName({ from: null, to: null }, periods)).toBeUndefined();
  });
});
