import { expect, it } from "vitest";
import { addMonths, getEndOfDay, toTurkishDay } from "./calendar";

it.each([
  ["2027-01-15T10:00:00.000Z", 1, "2027-02-15T10:00:00.000Z"],
  ["2027-01-31T10:00:00.000Z", 1, "2027-02-28T10:00:00.000Z"],
  ["2028-01-31T10:00:00.000Z", 1, "2028-02-29T10:00:00.000Z"],
  ["2028-02-29T10:00:00.000Z", 12, "2029-02-28T10:00:00.000Z"],
  ["2027-11-30T10:00:00.000Z", 3, "2028-02-29T10:00:00.000Z"],
  // In Turkey it is already 1 February.
  ["2027-01-31T22:30:00.000Z", 1, "2027-02-28T22:30:00.000Z"],
  ["2027-12-31T21:00:00.000Z", 60, "2032-12-31T21:00:00.000Z"],
])("adds to %s %i months: %s", (from, months, to) => {
  expect(addMonths(new Date(from), months).toISOString()).toBe(to);
});

it("returns the day in Turkey and its end", () => {
  expect(toTurkishDay(new Date("2027-11-20T20:59:59.999Z"))).toBe("2027-11-20");
  expect(toTurkishDay(new Date("2027-11-20T21:00:00.000Z"))).toBe("2027-11-21");
  expect(getEndOfDay("2027-11-20", { plusDays: 7 }).toISOString()).toBe("2027-11-27T20:59:59.999Z");
  expect(getEndOfDay("2028-02-25", { plusDays: 7 }).toISOString()).toBe("2028-03-03T20:59:59.999Z");
});
